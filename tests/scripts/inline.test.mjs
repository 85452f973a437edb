// The script that runs before the page is painted, part of each tool's page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const code = readFileSync(new URL("../../site_overrides/javascripts/inline/loading.js", import.meta.url), "utf8");

/** Return whether the page at this URL hides its example, with these keys in its storage. */
function hidesExample(url, ...keys) {
  const dataset = {};
  const localStorage = Object.fromEntries(keys.map((key) => [key, "{}"]));
  runInNewContext(code, { location: new URL(url), localStorage, document: { documentElement: { dataset } } });
  return "comes" in dataset;
}

test("a query in the URL or an entry of the tool hides the example", () => {
  assert.equal(hidesExample("http://host/tools/dice/"), false);
  assert.equal(hidesExample("http://host/tools/dice/?roll=d20"), true);
  assert.equal(hidesExample("http://host/tools/dice/#?roll=d20"), true);
  assert.equal(hidesExample("http://host/tools/fight/", "scratch-kept-fight/now"), true);
  assert.equal(hidesExample("http://host/rules/", "scratch-kept-fight/now"), false);
});

test("entries of another tool or another site on the host do not hide the example", () => {
  assert.equal(hidesExample("http://host/tools/dice/", "scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "/two/scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/tools/fight/", "/two/scratch-kept-fight/now"), false);
  assert.equal(hidesExample("http://host/one/tools/fight/", "/one/scratch-kept-fight/now"), true);
});
