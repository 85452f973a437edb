import assert from "node:assert/strict";
import { test } from "node:test";

const { share } = await import("../../site_overrides/javascripts/handing.mjs");

/** What is copied when a link is handed to a system's sheet that ends like this. */
async function copiedAfter(name) {
  const copied = [];
  const refuse = () => Promise.reject(Object.assign(new Error(), { name }));
  const navigator = { share: refuse, canShare: () => true, clipboard: { writeText: async (text) => copied.push(text) } };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  globalThis.document = { title: "A page", querySelector: () => null };
  globalThis.matchMedia = () => ({ matches: true });
  const button = { dataset: {}, textContent: "Share", isConnected: true, closest: () => null };
  await share(button, "https://host.example/#?a=1");
  return copied;
}

test("who closes the sheet has nothing copied; where it is not allowed the link is copied", async () => {
  assert.deepEqual(await copiedAfter("AbortError"), []);
  assert.deepEqual(await copiedAfter("NotAllowedError"), ["https://host.example/#?a=1"]);
});
