// Figures that Python works out in slices. A template marks each place of such figures:
//   [data-figures="odds"]   with [data-certain] when they are final, with [data-pending] while they are not
// Until pending figures are certain, the last certain ones stay in their place, dimmed: [data-held].

/** The figures of one calculator that are held back until they are certain. */
export class Figures {
  #pending = new Map(); // by the name of their place

  /** Put the last certain figures, as they stand in `body`, in place of the pending ones in an answer about to be shown. */
  hold(body, answer) {
    this.#pending.clear();
    for (const pending of answer.querySelectorAll("[data-figures][data-pending]")) {
      const name = pending.dataset.figures;
      const last = body.querySelector(`[data-figures="${name}"]:is([data-certain], [data-held])`);
      if (!last) continue;
      const held = last.cloneNode(true);
      held.removeAttribute("data-certain");
      held.setAttribute("data-held", "");
      this.#pending.set(name, pending);
      pending.replaceWith(held);
    }
  }

  /** Show the pending figures after all: no more of them is asked for. */
  release(body) {
    for (const [name, pending] of this.#pending) body.querySelector(`[data-figures="${name}"][data-held]`)?.replaceWith(pending);
    this.#pending.clear();
  }
}

/** Whether an answer holds figures that are not certain yet. */
export const isPending = (body) => body.querySelector("[data-figures]:is([data-pending], [data-held])") !== null;
