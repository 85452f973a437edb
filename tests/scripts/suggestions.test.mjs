import assert from "node:assert/strict";
import { test } from "node:test";
import { findNearestEntries } from "../../site_overrides/javascripts/page/search-suggestions.mjs";

const entries = [
  { title: "Hold", location: "rules/actions/#act.hold", tags: ["Rule"] },
  { title: "strength", location: "look-up/glossary/#term-strength", tags: ["Term"] },
  { title: "Strength", location: "rules/defences/#def.strength", tags: ["Rule"] },
  { title: "Take cover", location: "rules/actions/#act.cover", tags: ["Rule"] },
  { title: "Stenght", location: "build-on-it/", tags: ["For builders"] },
];
const names = (typed) => findNearestEntries(typed, entries).map(({ location }) => location);

test("findNearestEntries finds the name once after a typing error", () => {
  assert.deepEqual(names("strenth"), ["look-up/glossary/#term-strength"]);
  assert.deepEqual(names("Take cofer"), ["rules/actions/#act.cover"]);
});

test("findNearestEntries finds the name of a word in a sentence", () => {
  assert.deepEqual(names("what is my stregth"), ["look-up/glossary/#term-strength"]);
});

test("findNearestEntries finds nothing for nonsense", () => {
  assert.deepEqual(names("asdfghjk"), []);
  assert.deepEqual(findNearestEntries("strenth", []), []);
});
