import assert from "node:assert/strict";
import { test } from "node:test";

const { isolateRightToLeft } = await import("../../site_overrides/javascripts/shared/bidi.mjs");

test("isolateRightToLeft isolates each run of right-to-left words, and leaves other text unchanged", () => {
  assert.equal(isolateRightToLeft("Deleted: שרה 2."), "Deleted: \u2068שרה\u2069 2.");
  assert.equal(isolateRightToLeft("محمد علي, 3 of 4 hit points"), "\u2068محمد علي\u2069, 3 of 4 hit points");
  assert.equal(isolateRightToLeft("Олена 山田 Zoë 9"), "Олена 山田 Zoë 9");
});
