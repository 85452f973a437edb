// The script that runs before the page is painted, part of each tool's page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { buildSync } from "esbuild";

const file = fileURLToPath(new URL("../../site_overrides/javascripts/inline/loading.js", import.meta.url));
const code = buildSync({ entryPoints: [file], bundle: true, format: "iife", write: false }).outputFiles[0].text;

/** Return whether the page at this URL hides its example, with these keys in both of its storages. */
function hidesExample(url, ...keys) {
  const dataset = {};
  const localStorage = Object.fromEntries(keys.map((key) => [key, "{}"]));
  const sessionStorage = { getItem: (key) => localStorage[key] ?? null };
  runInNewContext(code, { location: new URL(url), localStorage, sessionStorage, document: { documentElement: { dataset } } });
  return "comes" in dataset;
}

test("the loading script hides the example if the URL has a query or the tool has a saved entry", () => {
  assert.equal(hidesExample("http://host/tools/dice/"), false);
  assert.equal(hidesExample("http://host/tools/dice/?roll=d20"), true);
  assert.equal(hidesExample("http://host/tools/dice/#?roll=d20"), true);
  assert.equal(hidesExample("http://host/tools/fight/", "scratch-kept-fight/now"), true);
  assert.equal(hidesExample("http://host/rules/", "scratch-kept-fight/now"), false);
});

test("the loading script hides the example if the tab has a draft of the tool", () => {
  assert.equal(hidesExample("http://host/tools/board/", "scratch-draft-board"), true);
  assert.equal(hidesExample("http://host/one/tools/board/", "/one/scratch-draft-board"), true);
  assert.equal(hidesExample("http://host/one/tools/board/", "scratch-draft-board"), false);
  assert.equal(hidesExample("http://host/tools/odds/", "scratch-draft-board"), false);
});

test("the loading script shows the example if only another tool or another site on the host has entries", () => {
  assert.equal(hidesExample("http://host/tools/dice/", "scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "/two/scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/tools/fight/", "/two/scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "/one/scratch-kept-fight/now"), true);
});
