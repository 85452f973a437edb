// Figures that Python calculates in time slices. A template marks them with data-figures="odds": with data-certain when they
// are final, with data-pending until then. Until pending figures are certain, the last certain ones remain visible, dimmed:
// data-previous.

/** The pending figures of one calculator, which are hidden until they are certain. */
export class Figures {
  /** @type {Map<string, Element>} */
  #pending = new Map(); // by the value of data-figures

  /**
   * Replace the pending figures of an answer by the last certain ones of the shown answer.
   * @param {Element} body the calculator's, with the shown answer
   * @param {ParentNode} newAnswer
   */
  replacePendingByLastCertain(body, newAnswer) {
    this.#pending.clear();
    for (const pending of newAnswer.querySelectorAll("[data-figures][data-pending]")) {
      const name = pending.dataset.figures;
      const last = body.querySelector(`[data-figures="${name}"]:is([data-certain], [data-previous])`);
      if (!last) continue;
      const previous = last.cloneNode(true);
      previous.removeAttribute("data-certain");
      previous.setAttribute("data-previous", "");
      this.#pending.set(name, pending);
      pending.replaceWith(previous);
    }
  }

  /**
   * Show the pending figures in place of the previous ones.
   * @param {Element} body the calculator's
   */
  replacePreviousByPending(body) {
    for (const [name, pending] of this.#pending) body.querySelector(`[data-figures="${name}"][data-previous]`)?.replaceWith(pending);
    this.#pending.clear();
  }
}

/**
 * Whether an answer has figures that are not certain yet.
 * @param {Element} body
 */
export const hasUncertainFigures = (body) => body.querySelector("[data-figures]:is([data-pending], [data-previous])") !== null;
