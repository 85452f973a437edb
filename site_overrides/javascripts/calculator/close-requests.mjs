// The device's request to close something, such as Back on Android, presses the button of the Escape key. Without it, Back
// would leave the page, and what the user has chosen in an open list would be lost.

const CLOSE_BUTTON = 'button[data-key="Escape"]';

export class CloseRequests {
  #element;
  /** @type {CloseWatcher | null} */
  #watcher = null;

  /** @param {HTMLElement} element the calculator's */
  constructor(element) {
    this.#element = element;
  }

  /** Watch for requests while the calculator has a button for them; it is called after each answer. */
  watchIfClosable() {
    if (!this.#element.querySelector(CLOSE_BUTTON)) return this.stop();
    if (this.#watcher || !globalThis.CloseWatcher) return;
    this.#watcher = new globalThis.CloseWatcher();
    this.#watcher.onclose = () => {
      this.#watcher = null; // it works once
      /** @type {HTMLButtonElement | null} */ (this.#element.querySelector(CLOSE_BUTTON))?.click();
    };
  }

  stop() {
    this.#watcher?.destroy();
    this.#watcher = null;
  }
}
