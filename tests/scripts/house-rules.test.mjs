import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { device } from "./storage.mjs";
import { createEvent, setAddress, setPage } from "./browser.mjs";

const scripts = "../../site_overrides/javascripts";
const { storageKeyOf, root } = await import(`${scripts}/shared/urls.mjs`);
setAddress(`${root}tools/odds/`);
let runSubscriber;
globalThis.document$ = { subscribe: (listener) => (runSubscriber = listener) };
const {
  offerHouseRules,
  findDifferingHouseRules,
  findHouseRules,
  isInternalNavigation,
  isHouseRulesKey,
  saveOrRemoveHouseRules,
  hasNoRuleParams,
  saveFormRulesOrAskUser,
  applyRulesToQuery,
} = await import(`${scripts}/page/house-rules.mjs`);
const { SavedEntries, parseExportFile, buildExportFile, getLastWriteDurability, recoverFromMirror } = await import(
  `${scripts}/saved/store.mjs`
);

const RULES = "strength_base=8&corners=free&cp=14"; // the rules of the table, by name
const SUMMARY = "2 house rules.";
let [element, appliedPairs] = [];

/** Create a calculator whose form has these attributes. */
function calculator(how = "", inside = "") {
  element = setPage(
    `<scratch-calculator name="odds"><div class="calculator-body"><form ${how}>${inside}</form></div><p class="calculator-announcement"></p></scratch-calculator>`,
  );
  return element.querySelector("form");
}
const notice = (about) => element.querySelector(`[data-notice=${about}] p`)?.textContent;
const pressButton = (words) => [...element.querySelectorAll("button")].find((each) => each.textContent === words).click();
const offer = (form, id = "a") => offerHouseRules(element, form, id, (pairs) => appliedPairs.push(pairs));

beforeEach(async () => {
  await device.clear();
  appliedPairs = [];
});

test("isHouseRulesKey accepts only keys with the prefix of this site", () => {
  assert.equal(isHouseRulesKey(storageKeyOf("scratch-kept-house/1")), true);
  for (const name of [storageKeyOf("scratch-kept-fight/house"), "/lighthouse/scratch-kept-house/1", "/lighthouse/scratch-kept-fight/1"])
    assert.equal(isHouseRulesKey(name), false, name);
});

test("saveOrRemoveHouseRules saves one durable entry, replaces it, includes it in exports, and deletes it if there are no rules", async () => {
  saveOrRemoveHouseRules(RULES, SUMMARY);
  await getLastWriteDurability();
  device.kill();
  await recoverFromMirror();
  const { name, query, summary } = findHouseRules();
  assert.deepEqual([name, query, summary, Object.keys(localStorage).length], ["House rules", RULES, SUMMARY, 1]);
  assert.doesNotMatch(Object.keys(localStorage)[0], /undefined/);
  saveOrRemoveHouseRules("cp=12", "1 house rule.");
  new SavedEntries("house/1").addAndMirror({ query: "cp=9", summary: "what another tab had" });
  saveOrRemoveHouseRules(RULES, SUMMARY);
  const { entries } = parseExportFile(buildExportFile());
  assert.deepEqual(
    entries.map(({ version, query }) => [version, query]),
    [["house/1", RULES]],
  );
  saveOrRemoveHouseRules("", "");
  assert.equal(findHouseRules(), undefined);
});

test("findDifferingHouseRules lists the form's rules with another value, and none without house rules", () => {
  const form = calculator('data-rules="strength_base=7&corners=free"');
  assert.deepEqual(findDifferingHouseRules(form), []);
  saveOrRemoveHouseRules(RULES, SUMMARY);
  assert.deepEqual(findDifferingHouseRules(form), [["strength_base", "8"]]);
  assert.deepEqual(findDifferingHouseRules(calculator()), []);
  assert.deepEqual(findDifferingHouseRules(calculator('data-rules="strength_base=8&corners=barred&cp=14&failed_hurry=ability"')), [
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

test("hasNoRuleParams is false if the query has a rule's own parameter or the combined one", () => {
  const form = calculator('data-rules="strength_base=7&corners=free"');
  const found = ["who=Ash", "who=Ash&corners=", "rulings=corners%3Dbarred", "cp=9"].map((query) => hasNoRuleParams(query, form));
  assert.deepEqual(found, [true, false, false, true]);
});

test("isInternalNavigation is true after a link of this site, and false for any other address", () => {
  calculator();
  assert.equal(isInternalNavigation(), false);
  const link = Object.assign(document.createElement("a"), { href: "?x=1" });
  link.setAttribute("href", "?x=1");
  link.href = new URL("?x=1", location).href;
  element.append(link);
  link.dispatchEvent(createEvent("click"));
  assert.equal(isInternalNavigation(), false);
  element.dispatchEvent(createEvent("click"));
  setAddress(link.href);
  assert.equal(isInternalNavigation(), true);
  setAddress(`${root}tools/odds/`);
});

test("offerHouseRules names the different rules of an answer, and asks once for each entry", () => {
  saveOrRemoveHouseRules(RULES, SUMMARY);
  const options = '<option value="">7 (default)</option><option value="8">8</option>';
  const words = "corners+barred=two walls block a step&corners+free=steps between walls are free";
  const form = calculator(
    `data-rules="strength_base=7&corners=barred&cp=12" data-own-rules="cp, max_level" data-rule-words="${words}"`,
    `<select name="strength_base">${options}</select>`,
  );
  offer(form);
  assert.match(
    notice("rules"),
    /^Made with different rules from your table's: 7 \(default\), yours: 8; two walls block a step, yours: steps between walls are free\.$/,
  );
  pressButton("Use your house rules");
  assert.deepEqual(
    [appliedPairs, notice("rules")],
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
  offer(form);
  pressButton("Keep as is");
  for (const [id, isAsked] of [
    ["a", false],
    ["b", true],
    ["a", false],
  ]) {
    offer(form, id);
    assert.equal(notice("rules") !== undefined, isAsked, id);
  }
  offer(calculator('data-rules="strength_base=8"'));
  assert.equal(notice("rules"), undefined);
});

test("offerHouseRules links a fight with fixed rules to its comparison with the house rules", () => {
  saveOrRemoveHouseRules(RULES, SUMMARY);
  offer(calculator('data-rules="strength_base=7" data-what-if="replay scenario log"', '<input name="log" value="a &amp; b">'));
  assert.match(notice("rules"), /^This fight uses different rules/);
  assert.equal(element.querySelector("[data-notice=rules] a").href, `${root}tools/replay/#?strength_base=8&scenario=a%20%26%20b`);
});

test("rulings and numbers are annotated once if the house rules differ", () => {
  const text =
    '<p><details class="ruling-mark"><summary data-house-rule="corners" data-words="free=corners are free&amp;barred=no">†</summary></details></p>' +
    '<b data-house-rule="cp" data-words="14=&amp;any={} points">14</b><b data-house-rule="strength_base" data-words="7=&amp;any={} at least">7</b>' +
    '<b data-house-rule="corners strength_base" data-words="free 8=both">1</b><b data-house-rule="strength_base other" data-words="8 on=no">2</b>';
  element = setPage(`<main>${text}</main>`);
  saveOrRemoveHouseRules(RULES, SUMMARY);
  runSubscriber();
  runSubscriber();
  assert.deepEqual(
    [...element.querySelectorAll("em")].map((each) => [
      each.outerHTML,
      each.previousElementSibling?.className ?? each.parentElement.dataset.houseRule,
    ]),
    [
      ['<em class="at-your-table"> At your table: corners are free.</em>', "ruling-mark"],
      ['<em class="at-your-table"> At your table: 8 at least.</em>', "strength_base"],
      ['<em class="at-your-table"> At your table: both.</em>', "corners strength_base"],
    ],
  );
  saveOrRemoveHouseRules("", "");
  runSubscriber();
  assert.equal(element.innerHTML, setPage(`<main>${text}</main>`).innerHTML);
});

test("saveFormRulesOrAskUser shows no notice for a link with the rulebook if there are no house rules", () => {
  const form = calculator('data-house="0" data-rules="cp=10"');
  saveFormRulesOrAskUser(element, form, "Your table plays by the rulebook.", { isExternal: true });
  assert.deepEqual([notice("table"), element.hasAttribute("data-durably-saved")], [undefined, true]);
});

test("saveFormRulesOrAskUser saves rules set on the page, asks before it saves those of a link, and reports a failed save", () => {
  const update = (each, told, how) => saveFormRulesOrAskUser(element, each, told, how);
  const form = (rules, count = 1) => calculator(`data-house="${count}" data-rules="${rules}"`);
  update(form("cp=12"), "1 house rule.", { typed: true });
  assert.deepEqual([findHouseRules().query, element.hasAttribute("data-durably-saved")], ["cp=12", true]);
  update(form("cp=13"), "", { typed: true }); // something can't be read
  update(form("cp=12"), "1 house rule.", { isExternal: true });
  assert.deepEqual([findHouseRules().query, notice("table")], ["cp=12", undefined]);
  const other = form("cp=14");
  update(other, "1 house rule.", { isExternal: true });
  update(other, "1 house rule.", { typed: true });
  assert.deepEqual([findHouseRules().query, element.hasAttribute("data-durably-saved")], ["cp=12", false]);
  assert.match(notice("table"), /Yours: 1 house rule\./);
  pressButton("Use these house rules");
  assert.deepEqual([findHouseRules().query, notice("table")], ["cp=14", undefined]);
  device.fill();
  update(form("cp=15"), "1 house rule.", { typed: true });
  assert.match(notice("table"), /blocks saving/);
  device.fill(false);
  update(form("cp=10", 0), "Your table plays by the rulebook.", { typed: true });
  assert.equal(findHouseRules(), undefined);
});
