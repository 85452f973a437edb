import assert from "node:assert/strict";
import { test } from "node:test";
import { formatQuery, parseStorageKey, storageKeyOf, root, toolUrlOf } from "../../site_overrides/javascripts/shared/urls.mjs";

test("a state of up to 4,000 characters is in the query, a longer one behind the hash, one of 30,000 nowhere", () => {
  const cases = [
    [1, "?…"],
    [4_000, "?…"],
    [4_001, "#?…"],
    [29_999, "#?…"],
    [30_000, ""],
  ];
  for (const [length, address] of cases) {
    assert.equal(formatQuery("x".repeat(length)).replace(/x+/, "…"), address, `${length} characters`);
  }
});

test("what is kept is behind the hash, however short it is, so that no server sees it", () => {
  assert.deepEqual(
    [1, 4_001, 30_000].map((length) => formatQuery("x".repeat(length), true).slice(0, 2)),
    ["#?", "#?", ""],
  );
});

test("a calculator's page is its name below tools, with a slash", () => {
  assert.equal(toolUrlOf({ getAttribute: (name) => `my-${name}` }), `${root}tools/my-name/`);
});

test("a stored name is this site's only where it begins with the site's path", () => {
  const { pathname } = new URL(root);
  const names = [storageKeyOf("scratch-a"), "scratch-a", `/other${pathname}scratch-a`, `${pathname.slice(0, -1)}x/scratch-a`];
  assert.deepEqual(names.map(parseStorageKey), ["scratch-a", "", "", ""]);
});
