import assert from "node:assert/strict";
import { test } from "node:test";

const scripts = "../../site_overrides/javascripts";
globalThis.location = new URL("https://example.org/");
globalThis.localStorage = { a: "local", getItem: () => "local" };
globalThis.sessionStorage = { getItem: () => "session" };

test("a page is framed where another site's page is around it, or one that tells nothing of itself", async () => {
  const around = [
    { location },
    { location: new URL("https://other.example/") },
    {
      get location() {
        throw new Error("no");
      },
    },
  ];
  const found = [];
  for (const [at, top] of around.entries()) {
    globalThis.window = { top };
    found.push((await import(`${scripts}/shared/embedding.mjs?${at}`)).isFramed);
  }
  assert.deepEqual(found, [false, true, true]);
});

test("there nothing of the reader's is read, and nothing written", async () => {
  globalThis.window = { top: { location: new URL("https://other.example/") } };
  const { getLocalStorage, getSessionStorage, readStoredText, listStoredKeys } = await import(`${scripts}/shared/web-storage.mjs`);
  assert.deepEqual([readStoredText("a"), getSessionStorage().getItem("a"), listStoredKeys()], ["", null, []]);
  for (const storage of [getLocalStorage(), getSessionStorage()]) assert.throws(() => storage.setItem("a", "b"), /nothing is kept/);
});
