// The user's input in a form since the last request, and the pause after typing until the form is sent.

/** @import { ControlState } from "./form.mjs" */

export class FormEdits {
  /** @type {Map<string, ControlState>} */
  #states = new Map(); // by the name of the control
  #timer = 0; // 0: no pause

  /**
   * Record the state of a control.
   * @param {string} name
   * @param {ControlState} state
   */
  record(name, state) {
    this.#states.set(name, state);
  }

  /**
   * Return the edits, and forget them.
   * @returns {Map<string, ControlState>}
   */
  take() {
    const states = this.#states;
    this.#states = new Map();
    return states;
  }

  /**
   * The edits that no request has taken.
   * @returns {ReadonlyMap<string, ControlState>}
   */
  get pending() {
    return this.#states;
  }

  /**
   * Begin the pause after an edit, or begin it again.
   * @param {number} milliseconds
   * @param {() => void} handleEnd
   */
  startPause(milliseconds, handleEnd) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      handleEnd();
    }, milliseconds);
  }

  /**
   * End the pause early.
   * @returns {boolean} whether there was one
   */
  cancelPause() {
    const isPausing = this.#timer !== 0;
    clearTimeout(this.#timer);
    this.#timer = 0;
    return isPausing;
  }
}
