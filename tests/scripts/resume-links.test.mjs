import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { device } from "./storage.mjs";
import { setAddress, setPage } from "./browser.mjs";

const scripts = "../../site_overrides/javascripts";
const { root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(root);
const { SavedEntries } = await import(`${scripts}/saved/store.mjs`);
const { replaceBeginButtonByResumeLinks } = await import(`${scripts}/page/resume-links.mjs`);
const { insertSheetUpdateLinks } = await import(`${scripts}/page/after-fight-links.mjs`);

let place;
beforeEach(async () => {
  await device.clear();
  place = setPage(
    '<div class="home__begin"><a class="button primary" href="start-here/">Never played?</a><a href="x/">First fight</a></div>',
  );
});

/** Save an entry with the date of that day. */
function save(kind, day, more) {
  const savedEntries = new SavedEntries(`${kind}/1`);
  const { id } = savedEntries.addAndMirror({ query: "a=1", ...more });
  const [name] = Object.keys(localStorage).filter((each) => each.endsWith(id));
  localStorage[name] = JSON.stringify({ ...JSON.parse(localStorage[name]), changed: `2026-02-0${day}` });
}

test("replaceBeginButtonByResumeLinks links to the three latest characters and the latest fight, the latest first", () => {
  for (const [day, name] of ["Oldest", "Older", "Old"].entries()) save("character", day, { name, summary: "4 of 4 hit points." });
  save("fight", 1, { name: "Old fight" });
  save("character", 4, { name: "Mira", summary: "2 of 4 hit points, injured.", query: "name=Mira" });
  save("fight", 3, { name: "", summary: "Round 2. Ash is next.", query: "log=2" });
  replaceBeginButtonByResumeLinks();
  assert.equal(
    place.innerHTML,
    `<a class="button primary" href="${root}tools/character/#?name=Mira&amp;then&amp;do=play">Continue: Mira, 2 of 4 hit points</a>` +
      `<a class="button" href="${root}tools/fight/#?log=2">Unnamed fight, round 2</a>` +
      ["Old", "Older"]
        .map((name) => `<a class="button" href="${root}tools/character/#?a=1&amp;then&amp;do=play">${name}, 4 of 4 hit points</a>`)
        .join("") +
      '<a href="x/">First fight</a>',
  );
});

test("replaceBeginButtonByResumeLinks omits the round if the name has it, and changes nothing without entries or on other pages", () => {
  const before = place.innerHTML;
  replaceBeginButtonByResumeLinks();
  assert.equal(place.innerHTML, before);
  save("fight", 2, { name: "The toll · round 1", summary: "Round 1." });
  setPage("<p></p>");
  replaceBeginButtonByResumeLinks();
  assert.equal(document.body.innerHTML, "<p></p>");
  place = setPage('<div class="home__begin"><a class="button primary">Never played?</a><a href="x/">First fight</a></div>');
  replaceBeginButtonByResumeLinks();
  assert.equal(place.children[0].textContent, "Continue: The toll · round 1");
  save("fight", 3, { name: "The toll 2 · over", summary: "Over." });
  place = setPage('<div class="home__begin"><a class="button primary">Never played?</a></div>');
  replaceBeginButtonByResumeLinks();
  assert.equal(place.children[0].textContent, "Last fight: The toll 2 · over");
});

test("insertSheetUpdateLinks links to the saved sheets of a fight's characters, also of numbered names", () => {
  save("character", 1, { name: "Ash", query: "name=Ash" });
  save("character", 2, { name: "Guard", query: "name=Guard" });
  save("character", 3, { name: "Else", query: "name=Else" });
  place = setPage("<scratch-calculator><p data-sheets='Ash\nGuard 2'></p></scratch-calculator>".replaceAll("'", '"'));
  insertSheetUpdateLinks(place);
  const address = (name) => `${root}tools/character/#?name=${name}&amp;then&amp;at=play&amp;do=fights&amp;hands=fight/1`;
  assert.deepEqual(
    [...place.querySelectorAll("a")].map((each) => each.outerHTML),
    ["Guard", "Ash"].map((name) => `<a class="button" href="${address(name)}">Update ${name}'s sheet …</a>`),
  );
  place = setPage("<scratch-calculator><p></p></scratch-calculator>");
  insertSheetUpdateLinks(place);
  assert.equal(place.querySelector("a"), null);
});
