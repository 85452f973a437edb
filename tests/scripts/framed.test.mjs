import assert from "node:assert/strict";
import { test } from "node:test";

const scripts = "../../site_overrides/javascripts";
globalThis.location = new URL("https://example.org/");
globalThis.localStorage = { a: "local", getItem: () => "local" };
globalThis.sessionStorage = { getItem: () => "session" };

test("isFramed is true in a frame of another site, and false at the top level and in a frame of this site", async () => {
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

test("web storage is empty and read-only in a frame of another site", async () => {
  globalThis.window = { top: { location: new URL("https://other.example/") } };
  const { getLocalStorage, getSessionStorage, readLocalStorageText, listLocalStorageKeys } = await import(
    `${scripts}/shared/web-storage.mjs`
  );
  assert.deepEqual([readLocalStorageText("a"), getSessionStorage().getItem("a"), listLocalStorageKeys()], ["", null, []]);
  for (const storage of [getLocalStorage(), getSessionStorage()]) assert.throws(() => storage.setItem("a", "b"), /can't save/);
});
