import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { replaceModule } from "./browser.mjs";

replaceModule(
  "/engine/client.mjs",
  "export const pythonClient = { asked: [], fetchAnswer: async (request) => (pythonClient.asked.push(JSON.parse(request)), pythonClient.answer()) };",
);
const { pythonClient } = await import("../../site_overrides/javascripts/engine/client.mjs");
const { copyTextAndConfirm, packLongLink, downloadFile, flashLabel, shareOrCopyUrl } = await import(
  "../../site_overrides/javascripts/shared/share.mjs"
);

/** Share a link with a share sheet that rejects with this error, and return what is copied. */
async function copiedAfter(name) {
  const copied = [];
  const refuse = () => Promise.reject(Object.assign(new Error(), { name }));
  const navigator = { share: refuse, canShare: () => true, clipboard: { writeText: async (text) => copied.push(text) } };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  globalThis.document = { title: "A page", querySelector: () => null };
  globalThis.matchMedia = () => ({ matches: true });
  const button = { dataset: {}, textContent: "Share", isConnected: true, closest: () => null };
  await shareOrCopyUrl(button, "https://host.example/#?a=1");
  return copied;
}

test("shareOrCopyUrl copies nothing if the user closes the share sheet, and copies the link if sharing is not allowed", async () => {
  assert.deepEqual(await copiedAfter("AbortError"), []);
  assert.deepEqual(await copiedAfter("NotAllowedError"), ["https://host.example/#?a=1"]);
});

test("shareOrCopyUrl shares with the title of the button or the page, and copies the link if the browser can't share", async () => {
  const [shared, copied] = [[], []];
  const navigator = { share: async (what) => shared.push(what), clipboard: { writeText: async (text) => copied.push(text) } };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  await shareOrCopyUrl({ dataset: { title: "A fight" } }, "u");
  await shareOrCopyUrl({ dataset: {} }, "v");
  assert.deepEqual(
    [shared, copied],
    [
      [
        { title: "A fight", url: "u" },
        { title: "A page", url: "v" },
      ],
      [],
    ],
  );
  delete navigator.share;
  await shareOrCopyUrl({ dataset: {}, textContent: "Share" }, "w");
  assert.deepEqual(copied, ["w"]);
});

test("flashLabel shows a label for two seconds, and then the button's first label", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const button = { dataset: {}, textContent: "Copy" };
  await copyTextAndConfirm(button, "x");
  assert.equal(button.textContent, "Copied");
  flashLabel(button, "Saved");
  assert.equal(button.textContent, "Saved");
  mock.timers.tick(1999);
  assert.equal(button.textContent, "Saved");
  mock.timers.tick(1);
  assert.equal(button.textContent, "Copy");
  mock.timers.reset();
});

test("downloadFile creates a file with the given name and text", async () => {
  const made = [];
  globalThis.document.createElement = () => ({
    click() {
      made.push(this.download, this.href);
    },
  });
  let blob;
  mock.method(URL, "createObjectURL", (given) => ((blob = given), "blob:1"));
  mock.timers.enable({ apis: ["setTimeout"] });
  downloadFile("a.txt", "words");
  mock.timers.reset();
  assert.deepEqual([...made, await blob.text()], ["a.txt", "blob:1", "words"]);
});

test("packLongLink packs a long link, and returns a short one or one that Python can't pack unchanged", async () => {
  const [page, long] = ["https://host.example/tools/fight/", `log=${"x".repeat(500)}`];
  pythonClient.answer = () => JSON.stringify({ link: "title=A&packed=1abc" });
  for (const mark of ["?", "#?"]) assert.equal(await packLongLink(page + mark + long, "A"), `${page}#?title=A&packed=1abc`);
  assert.deepEqual(pythonClient.asked[0], { link: long, title: "A" });
  for (const short of [`${page}?a=1`, `${page}#?a=1`, page]) assert.equal(await packLongLink(short), short);
  assert.equal(pythonClient.asked.length, 2);
  for (const answer of [() => Promise.reject(new Error("no")), () => JSON.stringify({ link: long + long })]) {
    pythonClient.answer = answer;
    assert.equal(await packLongLink(`${page}?${long}`), `${page}?${long}`);
  }
});
