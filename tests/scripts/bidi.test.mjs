import assert from "node:assert/strict";
import { test } from "node:test";

const { isolateRightToLeft } = await import("../../site_overrides/javascripts/shared/bidi.mjs");

test("right-to-left names are isolated, each run of words as one; other text is unchanged", () => {
  assert.equal(isolateRightToLeft("Deleted: שרה 2."), "Deleted: \u2068שרה\u2069 2.");
  assert.equal(isolateRightToLeft("محمد علي, 3 of 4 hit points"), "\u2068محمد علي\u2069, 3 of 4 hit points");
  assert.equal(isolateRightToLeft("Олена 山田 Zoë 9"), "Олена 山田 Zoë 9");
});
