import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { assertFocused, createEvent, isFocused, isPopoverOpen, setAddress, setBox, setPage, setProperties } from "./browser.mjs";
import { settlePromises, until } from "./until.mjs";

const PAGE = "https://example.org/tools/dice/";
setAddress(PAGE);
let turned;
window.document$ = { subscribe: (act) => (turned = act) };
mock.timers.enable({ apis: ["setTimeout"] });
await import("../../site_overrides/javascripts/page/popover.mjs");

const box = () => document.querySelector(".explainer");
const isOpen = () => isPopoverOpen(box());
const told = () => box().innerHTML;
const find = (selector) => document.querySelector(selector);
function press(element, more = {}) {
  const event = createEvent("click", { button: 0, ...more });
  element.dispatchEvent(event);
  return event.defaultPrevented;
}
function key(name, element) {
  const event = createEvent("keydown", { key: name });
  element.dispatchEvent(event);
  return event.defaultPrevented;
}
const over = (target, pointerType = "mouse") => target.dispatchEvent(createEvent("pointerover", { pointerType }));

beforeEach(() => {
  if (isOpen()) box().hidePopover();
  mock.timers.tick(1_000);
  setPage(`<main class="calculator"><p id="p">It <abbr title="Once a round.">evades</abbr>, <abbr title="Two.">holds</abbr>.</p>
    <details class="why"><summary>13</summary><p id="sum">10 and <b id="x">3</b></p></details>
    <scratch-calculator><a class="rule" href="../../rules/turns/#act.turn">turns</a><a href="../">no rule</a></scratch-calculator></main>`);
});

test("a term is told by a press, Enter and Space, its title beside it no more; another key and any other press are the page's", () => {
  const [term, other] = document.querySelectorAll("abbr");
  assert.deepEqual([press(find("#p")), press(term, { ctrlKey: true }), press(term, { button: 1 }), isOpen()], [false, false, false, false]);
  assert.equal(press(term), true);
  assert.equal(box().popover, "auto");
  assert.deepEqual([isOpen(), told(), box().getAttribute("aria-label")], [true, "<p>Once a round.</p>", "evades"]);
  assert.deepEqual([term.title, term.getAttribute("aria-description"), isFocused(box())], ["", "Once a round.", true]);
  assert.deepEqual([box().getAttribute("role"), box().tabIndex, box().className], ["dialog", -1, "explainer md-content__inner"]);
  for (const name of ["Enter", " "]) {
    box().hidePopover();
    assert.deepEqual([isFocused(term), key(name, term), isOpen(), told()], [true, true, true, "<p>Once a round.</p>"], name);
  }
  assert.deepEqual([key("x", other), key("Enter", find("#p")), told()], [false, false, "<p>Once a round.</p>"]);
});

test("the press that closes it does not open it again, and the focus that somebody has taken on stays there", () => {
  const term = find("abbr");
  press(term);
  box().hidePopover();
  assert.deepEqual([press(term), isOpen()], [true, false]);
  mock.timers.tick(250);
  press(term);
  assert.equal(isOpen(), true);
  find("a").focus();
  box().hidePopover();
  assertFocused(find("a"));
});

test("what was closed can be told again by resting on it", () => {
  const term = find("abbr");
  press(term);
  box().hidePopover();
  mock.timers.tick(250);
  over(term);
  mock.timers.tick(250);
  assert.equal(isOpen(), true);
});

test("a mouse that rests on a term has it told, and left alone it goes; a finger's way across does nothing", () => {
  const [term, other] = document.querySelectorAll("abbr");
  over(term, "touch");
  over(term);
  mock.timers.tick(249);
  over(find("#p"));
  mock.timers.tick(250);
  assert.equal(isOpen(), false);
  over(term);
  mock.timers.tick(250);
  assert.deepEqual([isOpen(), told(), isFocused(document.body)], [true, "<p>Once a round.</p>", true]);
  for (const rest of [box(), term]) {
    over(rest);
    mock.timers.tick(250);
    assert.equal(isOpen(), true);
  }
  over(other);
  mock.timers.tick(250);
  assert.equal(told(), "<p>Two.</p>");
  over(find("#p"));
  mock.timers.tick(250);
  assert.equal(isOpen(), false);
  press(term);
  over(find("#p"));
  mock.timers.tick(250);
  assert.equal(isOpen(), true);
});

test("what stands folded behind a number is shown without its line and its ids, and the fold stays shut", () => {
  assert.equal(press(find("summary")), true);
  assert.equal(told(), "<p>10 and <b>3</b></p>");
  assert.deepEqual([find(".why").open, find("#x")?.textContent], [false, "3"]);
});

const RULES = `<html><body><article><h2 id="act.turn">Turns<a class="headerlink">¶</a></h2><p>One acts, <a href="../actions/#a">then</a> another.</p>
<script>no</script><h3>More</h3><p id="more">Some.</p><h2>Next</h2><p>No.</p>
<table class="t"><thead><tr><th>What</th></tr></thead><tbody><tr id="row"><td>Row</td></tr><tr><td>Other</td></tr></tbody></table></article></body></html>`;

test("a rule is fetched once and told as far as the next heading, its links lead where they did, and a way to its page ends it", async () => {
  const fetched = [];
  globalThis.fetch = async (address) => (fetched.push(address), { ok: true, text: async () => RULES });
  const rule = find("a.rule");
  press(rule);
  mock.timers.tick(250);
  assert.equal(told(), "<p>Loading the rule …</p>");
  await until(() => told().includes("Open page"));
  const way = (hash) => `<p><a href="https://example.org/rules/turns/#${hash}">Open page</a></p>`;
  assert.equal(
    told(),
    `<h2>Turns</h2><p>One acts, <a href="https://example.org/rules/actions/#a">then</a> another.</p><h3>More</h3><p>Some.</p>${way("act.turn")}`,
  );
  assert.deepEqual([isFocused(box()), fetched], [true, ["https://example.org/rules/turns/"]]);
  rule.href = "../../rules/turns/#row";
  box().hidePopover();
  mock.timers.tick(250);
  press(rule);
  await until(() => told().includes("#row"));
  assert.equal(told(), `<table class="t"><thead><tr><th>What</th></tr></thead><tr><td>Row</td></tr></table>${way("row")}`);
  assert.equal(fetched.length, 1);
});

test("a rule that comes late takes nobody's place, and one that can't be had is gone to", async () => {
  const gone = [];
  location.assign = (address) => gone.push(address);
  let arrive;
  globalThis.fetch = () => new Promise((done) => (arrive = done));
  const rule = find("a.rule");
  rule.href = "../../rules/late/#act.turn";
  press(rule);
  press(find("abbr"));
  arrive({ ok: true, text: async () => RULES });
  await settlePromises();
  mock.timers.tick(250);
  assert.equal(told(), "<p>Once a round.</p>");
  box().hidePopover();
  rule.href = "../../rules/none/#act.turn";
  press(rule);
  turned();
  arrive({ ok: false, status: 404 });
  await settlePromises();
  assert.deepEqual([gone, isOpen()], [[], false]);
  mock.timers.tick(250);
  press(rule);
  arrive({ ok: false, status: 404 });
  await until(() => gone.length > 0);
  assert.deepEqual(gone, ["https://example.org/rules/none/#act.turn"]);
});

test("on a new page it is closed, and each term is a button to reach", () => {
  const term = find("abbr");
  press(term);
  turned();
  assert.deepEqual([isOpen(), term.tabIndex, term.getAttribute("role")], [false, 0, "button"]);
});

test("it stands below its line, above where there is no room for it, and within the window's sides", () => {
  const term = find("abbr");
  const placed = (line, height, width = 100) => {
    setBox(term, line);
    press(term);
    setProperties(box(), { scrollHeight: height, offsetHeight: height, offsetWidth: width });
    box().hidePopover();
    mock.timers.tick(250);
    press(term);
    const { style } = box();
    const found = [style.getPropertyValue("--x"), style.getPropertyValue("--y"), style.getPropertyValue("--room")];
    box().hidePopover();
    mock.timers.tick(250);
    return found;
  };
  assert.deepEqual(placed({ top: 10, bottom: 20, left: 30 }, 40), ["30px", "28px", "72px"]);
  assert.deepEqual(placed({ top: 80, bottom: 90, left: 390 }, 40), ["292px", "32px", "72px"]);
  assert.deepEqual(placed({ top: 80, bottom: 90, left: 2 }, 200, 500), ["8px", "-128px", "72px"]);
  document.body.append(setBox(Object.assign(document.createElement("header"), { className: "md-header" }), { bottom: 30 }));
  assert.deepEqual(placed({ top: 80, bottom: 90, left: 30 }, 200), ["30px", "-128px", "42px"]);
});
