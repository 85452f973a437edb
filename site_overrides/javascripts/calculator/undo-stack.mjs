// The queries of earlier answers, for the buttons with data-back.
const MAX_ANSWERS = 200;

/** @import { AnswerOptions } from "./request.mjs" */

export class UndoStack {
  /** @type {{ query: string | null, isOtherEntry: boolean }[]} */
  #earlier = []; // the latest last; `isOtherEntry`: the answer after it began another entry

  /** The query of the answer before the shown one: undefined if there is none, null if it has none. */
  get lastQuery() {
    return this.#earlier.at(-1)?.query;
  }

  /**
   * Record the step from one answer to the next.
   * @param {string | undefined} previousQuery undefined for the page's own example
   * @param {string} query
   * @param {AnswerOptions} options
   * @returns {boolean} whether it is an undo that returns to another entry
   */
  recordAndDetectOtherEntry(previousQuery, query, { isFromForm, isRulesChange, isUndo, isRestored, newEntry }) {
    const undoneStep = isUndo ? this.#earlier.pop() : undefined;
    if (isRestored) this.#earlier = []; // an undo must not overwrite the opened entry with another one
    if ((isFromForm || isRulesChange || newEntry) && previousQuery !== query) {
      this.#earlier = [...this.#earlier, { query: previousQuery ?? null, isOtherEntry: Boolean(newEntry) }].slice(-MAX_ANSWERS);
    }
    return undoneStep?.isOtherEntry ?? false;
  }
}
