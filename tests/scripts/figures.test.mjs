import assert from "node:assert/strict";
import { test } from "node:test";
import { setPage } from "./browser.mjs";

const { Figures, hasUncertainFigures } = await import("../../site_overrides/javascripts/calculator/figures.mjs");

/** Parse an answer's HTML. */
function content(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
const renderFigures = (state, words, name = "odds") => `<div data-figures="${name}" ${state}>${words}</div>`;
/** Show an answer as a calculator does. */
function show(figures, body, html) {
  const answer = content(html);
  figures.replacePendingByLastCertain(body, answer);
  body.replaceChildren(...answer.childNodes);
  return body.textContent;
}

test("replacePendingByLastCertain keeps the last certain figures, marked as previous, until new ones are certain", () => {
  const [figures, body] = [new Figures(), setPage("<div></div>")];
  assert.equal(show(figures, body, renderFigures("data-certain", "47 : 45")), "47 : 45");
  assert.equal(hasUncertainFigures(body), false);
  for (const range of ["0 to 100", "30 to 60"]) {
    assert.equal(show(figures, body, renderFigures("data-pending", range)), "47 : 45");
    const previous = body.querySelector("[data-figures]");
    assert.deepEqual(
      [previous.hasAttribute("data-previous"), previous.hasAttribute("data-certain"), hasUncertainFigures(body)],
      [true, false, true],
    );
  }
  assert.equal(show(figures, body, renderFigures("data-certain", "51 : 40")), "51 : 40");
  assert.equal(hasUncertainFigures(body), false);
});

test("replacePendingByLastCertain shows pending figures if there are no certain ones", () => {
  const [figures, body] = [new Figures(), setPage("<p>Choose two.</p>")];
  assert.equal(show(figures, body, renderFigures("data-pending", "0 to 100")), "0 to 100");
  assert.equal(show(figures, body, renderFigures("data-pending", "30 to 60")), "30 to 60");
  show(figures, body, renderFigures("data-certain", "47 : 45"));
  assert.equal(show(figures, body, renderFigures("data-pending", "5 to 9", "other")), "5 to 9");
});

test("replacePreviousByPending shows the pending figures, and changes nothing the second time", () => {
  const [figures, body] = [new Figures(), setPage("<div></div>")];
  show(figures, body, renderFigures("data-certain", "47 : 45"));
  show(figures, body, renderFigures("data-pending", "30 to 60"));
  figures.replacePreviousByPending(body);
  assert.equal(body.textContent, "30 to 60");
  figures.replacePreviousByPending(body);
  assert.equal(body.textContent, "30 to 60");
});
