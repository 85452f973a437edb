import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { device } from "./storage.mjs";
import { createEvent, setAddress, setPage } from "./browser.mjs";

const scripts = "../../site_overrides/javascripts";
const { storageKeyOf, root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/odds/`);
let tell;
globalThis.document$ = { subscribe: (act) => (tell = act) };
const {
  offerHouseRules,
  findDifferences,
  getHouseRules,
  isInternalNavigation,
  isHouseRules,
  saveHouseRules,
  hasNoRules,
  updateHouseRulesPage,
  applyRulesToQuery,
} = await import(`${scripts}/page/house-rules.mjs`);
const { SavedEntries, parseExportFile, buildExportFile, pendingWrite, importEntries, recoverFromMirror } = await import(
  `${scripts}/saved/store.mjs`
);

const RULES = "strength_base=8&corners=free&cp=14"; // what the table has: every rule by name
const TOLD = "2 house rules.";
let [place, taken] = [];

/** A calculator whose form says so. */
function calculator(how = "", inside = "") {
  place = setPage(
    `<scratch-calculator name="odds"><div class="calculator-body"><form ${how}>${inside}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  );
  return place.querySelector("form");
}
const notice = (about) => place.querySelector(`[data-notice=${about}] p`)?.textContent;
const press = (words) => [...place.querySelectorAll("button")].find((each) => each.textContent === words).click();
const ask = (form, id = "a") => offerHouseRules(place, form, id, (pairs) => taken.push(pairs));

beforeEach(async () => {
  await device.clear();
  taken = [];
});

test("only a stored name of this site's house rules is one, whatever its path looks like", () => {
  assert.equal(isHouseRules(storageKeyOf("scratch-kept-house/1")), true);
  for (const name of [storageKeyOf("scratch-kept-fight/house"), "/lighthouse/scratch-kept-house/1", "/lighthouse/scratch-kept-fight/1"])
    assert.equal(isHouseRules(name), false, name);
});

test("one set is kept, a later one in its place, and none for the rulebook; it lasts and is in the file of everything", async () => {
  saveHouseRules(RULES, TOLD);
  await pendingWrite();
  device.kill();
  await recoverFromMirror();
  const { name, query, summary } = getHouseRules();
  assert.deepEqual([name, query, summary, Object.keys(localStorage).length], ["House rules", RULES, TOLD, 1]);
  assert.doesNotMatch(Object.keys(localStorage)[0], /undefined/);
  saveHouseRules("cp=12", "1 house rule.");
  new SavedEntries("house/1").add({ query: "cp=9", summary: "what another tab had" });
  saveHouseRules(RULES, TOLD);
  const { entries } = parseExportFile(buildExportFile());
  assert.deepEqual(
    entries.map(({ version, query }) => [version, query]),
    [["house/1", RULES]],
  );
  saveHouseRules("", "");
  assert.equal(getHouseRules(), undefined);
});

test("a file's set is never taken in by itself", () => {
  saveHouseRules(RULES, TOLD);
  const { rules, added, unknown } = importEntries([{ version: "house/1", query: "cp=9", summary: "" }]);
  assert.deepEqual([rules.map(({ query }) => query), added, unknown, getHouseRules().query], [["cp=9"], [], [], RULES]);
});

test("what a form follows and has otherwise differs; without a set nothing does", () => {
  const form = calculator('data-rules="strength_base=7&corners=free"');
  assert.deepEqual(findDifferences(form), []);
  saveHouseRules(RULES, TOLD);
  assert.deepEqual(findDifferences(form), [["strength_base", "8"]]);
  assert.deepEqual(findDifferences(calculator()), []);
  assert.deepEqual(findDifferences(calculator('data-rules="strength_base=8&corners=barred&cp=14&failed_hurry=ability"')), [
    ["corners", "free"],
  ]);
  assert.equal(
    applyRulesToQuery("who=Ash&corners=barred", [
      ["corners", "free"],
      ["cp", "14"],
    ]),
    "cp=14&who=Ash&corners=free",
  );
});

test("a query names rules by their own names, or all in one", () => {
  const form = calculator('data-rules="strength_base=7&corners=free"');
  const found = ["who=Ash", "who=Ash&corners=", "rulings=corners%3Dbarred", "cp=9"].map((query) => hasNoRules(query, form));
  assert.deepEqual(found, [true, false, false, true]);
});

test("a link of the site is told from an address that came otherwise", () => {
  calculator();
  assert.equal(isInternalNavigation(), false);
  const link = Object.assign(document.createElement("a"), { href: "?x=1" });
  link.setAttribute("href", "?x=1");
  link.href = new URL("?x=1", location).href;
  place.append(link);
  link.dispatchEvent(createEvent("click"));
  assert.equal(isInternalNavigation(), false);
  place.dispatchEvent(createEvent("click"));
  setAddress(link.href);
  assert.equal(isInternalNavigation(), true);
  setAddress(`${root}tools/odds/`);
});

test("an answer by other rules says so in its controls' words, and takes the table's or is left, once for each", () => {
  saveHouseRules(RULES, TOLD);
  const options = '<option value="">7 (default)</option><option value="8">8</option>';
  const words = "corners+barred=two walls block a step&corners+free=steps between walls are free";
  const form = calculator(
    `data-rules="strength_base=7&corners=barred" data-rule-words="${words}"`,
    `<select name="strength_base">${options}</select>`,
  );
  ask(form);
  assert.match(
    notice("rules"),
    /^Made with different rules from your table’s: 7 \(default\), yours: 8; two walls block a step, yours: steps between walls are free\.$/,
  );
  press("Use your house rules");
  assert.deepEqual(
    [taken, notice("rules")],
    [
      [
        [
          ["strength_base", "8"],
          ["corners", "free"],
        ],
      ],
      undefined,
    ],
  );
  ask(form);
  press("Keep as is");
  for (const [id, isAsked] of [
    ["a", false],
    ["b", true],
    ["a", false],
  ]) {
    ask(form, id);
    assert.equal(notice("rules") !== undefined, isAsked, id);
  }
  ask(calculator('data-rules="strength_base=8"'));
  assert.equal(notice("rules"), undefined);
});

test("what keeps its rules leads to where others would change it", () => {
  saveHouseRules(RULES, TOLD);
  ask(calculator('data-rules="strength_base=7" data-what-if="replay scenario log"', '<input name="log" value="a &amp; b">'));
  assert.match(notice("rules"), /^This fight uses different rules/);
  assert.equal(place.querySelector("[data-notice=rules] a").href, `${root}tools/replay/#?strength_base=8&scenario=a%20%26%20b`);
});

test("beside a ruling's mark, and where a number is told, stands what the table has, once, and only where it has another", () => {
  const text =
    '<p><details class="ruling-mark"><summary data-switch="corners" data-told="free=corners are free&amp;barred=no">†</summary></details></p>' +
    '<b data-switch="cp" data-told="14=&amp;any={} points">14</b><b data-switch="strength_base" data-told="7=&amp;any={} at least">7</b>';
  place = setPage(`<main>${text}</main>`);
  saveHouseRules(RULES, TOLD);
  tell();
  tell();
  assert.deepEqual(
    [...place.querySelectorAll("em")].map((each) => [
      each.outerHTML,
      each.previousElementSibling?.className ?? each.parentElement.dataset.switch,
    ]),
    [
      ['<em class="at-your-table"> At your table: corners are free.</em>', "ruling-mark"],
      ['<em class="at-your-table"> At your table: 8 at least.</em>', "strength_base"],
    ],
  );
  saveHouseRules("", "");
  tell();
  assert.equal(place.innerHTML, setPage(`<main>${text}</main>`).innerHTML);
});

test("a link that brings the rulebook brings nothing new to who keeps no rules", () => {
  const form = calculator('data-house="0" data-rules="cp=10"');
  updateHouseRulesPage(place, form, "Your table plays by the rulebook.", { isFromElsewhere: true });
  assert.deepEqual([notice("table"), place.hasAttribute("data-lasts")], [undefined, true]);
});

test("what is set is kept, what a link brings only when it is taken; a storage that keeps nothing is told", () => {
  const set = (each, told, how) => updateHouseRulesPage(place, each, told, how);
  const form = (rules, count = 1) => calculator(`data-house="${count}" data-rules="${rules}"`);
  set(form("cp=12"), "1 house rule.", { typed: true });
  assert.deepEqual([getHouseRules().query, place.hasAttribute("data-lasts")], ["cp=12", true]);
  set(form("cp=13"), "", { typed: true }); // something can't be read
  set(form("cp=12"), "1 house rule.", { isFromElsewhere: true });
  assert.deepEqual([getHouseRules().query, notice("table")], ["cp=12", undefined]);
  const other = form("cp=14");
  set(other, "1 house rule.", { isFromElsewhere: true });
  set(other, "1 house rule.", { typed: true });
  assert.deepEqual([getHouseRules().query, place.hasAttribute("data-lasts")], ["cp=12", false]);
  assert.match(notice("table"), /Yours: 1 house rule\./);
  press("Use these house rules");
  assert.deepEqual([getHouseRules().query, notice("table")], ["cp=14", undefined]);
  device.fill();
  set(form("cp=15"), "1 house rule.", { typed: true });
  assert.match(notice("table"), /blocks saving/);
  device.fill(false);
  set(form("cp=10", 0), "Your table plays by the rulebook.", { typed: true });
  assert.equal(getHouseRules(), undefined);
});
