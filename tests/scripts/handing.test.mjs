import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { replaceModule } from "./browser.mjs";

replaceModule(
  "/engine/client.mjs",
  "export const pythonClient = { asked: [], ask: async (request) => (pythonClient.asked.push(JSON.parse(request)), pythonClient.answer()) };",
);
const { pythonClient } = await import("../../site_overrides/javascripts/engine/client.mjs");
const { copyText, shortenLink, downloadFile, flashLabel, shareUrl } = await import("../../site_overrides/javascripts/shared/share.mjs");

/** What is copied when a link is handed to a system's sheet that ends like this. */
async function copiedAfter(name) {
  const copied = [];
  const refuse = () => Promise.reject(Object.assign(new Error(), { name }));
  const navigator = { share: refuse, canShare: () => true, clipboard: { writeText: async (text) => copied.push(text) } };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  globalThis.document = { title: "A page", querySelector: () => null };
  globalThis.matchMedia = () => ({ matches: true });
  const button = { dataset: {}, textContent: "Share", isConnected: true, closest: () => null };
  await shareUrl(button, "https://host.example/#?a=1");
  return copied;
}

test("who closes the sheet has nothing copied; where it is not allowed the link is copied", async () => {
  assert.deepEqual(await copiedAfter("AbortError"), []);
  assert.deepEqual(await copiedAfter("NotAllowedError"), ["https://host.example/#?a=1"]);
});

test("the sheet is handed the button's title, else the page's, and nothing is copied; without a sheet the link is", async () => {
  const [shared, copied] = [[], []];
  const navigator = { share: async (what) => shared.push(what), clipboard: { writeText: async (text) => copied.push(text) } };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  await shareUrl({ dataset: { title: "A fight" } }, "u");
  await shareUrl({ dataset: {} }, "v");
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
  await shareUrl({ dataset: {}, textContent: "Share" }, "w");
  assert.deepEqual(copied, ["w"]);
});

test("a button says for two seconds what it has done, and then what it said first", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const button = { dataset: {}, textContent: "Copy" };
  await copyText(button, "x");
  assert.equal(button.textContent, "Copied");
  flashLabel(button, "Saved");
  assert.equal(button.textContent, "Saved");
  mock.timers.tick(1999);
  assert.equal(button.textContent, "Saved");
  mock.timers.tick(1);
  assert.equal(button.textContent, "Copy");
  mock.timers.reset();
});

test("a file has the name and the text that are given", async () => {
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

test("a long link is packed by Python, wherever its query stands; a short one and one without Python stay", async () => {
  const [page, long] = ["https://host.example/tools/fight/", `log=${"x".repeat(500)}`];
  pythonClient.answer = () => JSON.stringify({ link: "title=A&packed=1abc" });
  for (const mark of ["?", "#?"]) assert.equal(await shortenLink(page + mark + long, "A"), `${page}#?title=A&packed=1abc`);
  assert.deepEqual(pythonClient.asked[0], { link: long, title: "A" });
  for (const short of [`${page}?a=1`, `${page}#?a=1`, page]) assert.equal(await shortenLink(short), short);
  assert.equal(pythonClient.asked.length, 2);
  for (const answer of [() => Promise.reject(new Error("no")), () => JSON.stringify({ link: long + long })]) {
    pythonClient.answer = answer;
    assert.equal(await shortenLink(`${page}?${long}`), `${page}?${long}`);
  }
});
