import assert from "node:assert/strict";
import { test } from "node:test";
import { at, inPlaceOf, page } from "./dom.mjs";

inPlaceOf(
  "/version.mjs",
  "export const offered = []; export const offerNewVersion = () => offered.push(1); export const isOutdated = async () => globalThis.outdated;",
);
const scripts = "../../site_overrides/javascripts";

test("without a service worker, a tab that is looked at again offers a new version where there is one", async () => {
  at("https://example.org/rules/");
  page("<p></p>");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  const heard = new Map();
  Object.assign(document, { visibilityState: "visible", addEventListener: (name, act) => heard.set(name, act) });
  await import(`${scripts}/offline.mjs`);
  const { offered } = await import(`${scripts}/version.mjs`);
  const found = [];
  for (const outdated of [false, true]) {
    globalThis.outdated = outdated;
    await heard.get("visibilitychange")();
    found.push(offered.length);
  }
  assert.deepEqual(found, [0, 1]);
});
