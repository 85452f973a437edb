import assert from "node:assert/strict";
import { test } from "node:test";
import { setPage } from "./browser.mjs";

const { Figures, isPending } = await import("../../site_overrides/javascripts/calculator/figures.mjs");

/** An answer's content. */
function content(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return made.content;
}
const place = (state, words, name = "odds") => `<div data-figures="${name}" ${state}>${words}</div>`;
/** Show an answer as a calculator does. */
function show(figures, body, html) {
  const answer = content(html);
  figures.hold(body, answer);
  body.replaceChildren(...answer.childNodes);
  return body.textContent;
}

test("the last certain figures stay, held, until others are certain", () => {
  const [figures, body] = [new Figures(), setPage("<div></div>")];
  assert.equal(show(figures, body, place("data-certain", "47 : 45")), "47 : 45");
  assert.equal(isPending(body), false);
  for (const far of ["0 to 100", "30 to 60"]) {
    assert.equal(show(figures, body, place("data-pending", far)), "47 : 45");
    const held = body.querySelector("[data-figures]");
    assert.deepEqual([held.hasAttribute("data-held"), held.hasAttribute("data-certain"), isPending(body)], [true, false, true]);
  }
  assert.equal(show(figures, body, place("data-certain", "51 : 40")), "51 : 40");
  assert.equal(isPending(body), false);
});

test("where nothing certain stands, pending figures are shown as far as they are known", () => {
  const [figures, body] = [new Figures(), setPage("<p>Choose two.</p>")];
  assert.equal(show(figures, body, place("data-pending", "0 to 100")), "0 to 100");
  assert.equal(show(figures, body, place("data-pending", "30 to 60")), "30 to 60");
  show(figures, body, place("data-certain", "47 : 45"));
  assert.equal(show(figures, body, place("data-pending", "5 to 9", "other")), "5 to 9");
});

test("released, the pending figures take the place of the held ones", () => {
  const [figures, body] = [new Figures(), setPage("<div></div>")];
  show(figures, body, place("data-certain", "47 : 45"));
  show(figures, body, place("data-pending", "30 to 60"));
  figures.release(body);
  assert.equal(body.textContent, "30 to 60");
  figures.release(body);
  assert.equal(body.textContent, "30 to 60");
});
