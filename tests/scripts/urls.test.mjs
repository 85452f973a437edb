import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatUrlSuffix,
  stripSitePathOfStorageKey,
  storageKeyOf,
  root,
  toolUrlOf,
} from "../../site_overrides/javascripts/shared/urls.mjs";

test("formatUrlSuffix puts up to 4,000 characters into the query, more into the fragment, and 30,000 nowhere", () => {
  const cases = [
    [1, "?…"],
    [4_000, "?…"],
    [4_001, "#?…"],
    [29_999, "#?…"],
    [30_000, ""],
  ];
  for (const [length, address] of cases) {
    assert.equal(formatUrlSuffix("x".repeat(length)).replace(/x+/, "…"), address, `${length} characters`);
  }
});

test("formatUrlSuffix puts private data into the fragment at any length, so that no server receives it", () => {
  assert.deepEqual(
    [1, 4_001, 30_000].map((length) => formatUrlSuffix("x".repeat(length), true).slice(0, 2)),
    ["#?", "#?", ""],
  );
});

test("toolUrlOf returns the URL of the calculator's name under tools, with a trailing slash", () => {
  assert.equal(toolUrlOf({ getAttribute: (name) => `my-${name}` }), `${root}tools/my-name/`);
});

test("stripSitePathOfStorageKey accepts only keys with the prefix of the site's path", () => {
  const { pathname } = new URL(root);
  const names = [storageKeyOf("scratch-a"), "scratch-a", `/other${pathname}scratch-a`, `${pathname.slice(0, -1)}x/scratch-a`];
  assert.deepEqual(names.map(stripSitePathOfStorageKey), ["scratch-a", "", "", ""]);
});
