// A button with data-autoplay-delay="1500" presses the button that its data-autoplay-button selects, again and again, until it is pressed
// itself. Each answer sets the delay until the next press.
const RETRY_DELAY = 250; // ms until the next check while an answer is awaited

export class Autoplay {
  #element;
  #timer = 0;

  /** @param {HTMLElement} element the calculator's */
  constructor(element) {
    this.#element = element;
  }

  /**
   * Start autoplay, or end it.
   * @param {HTMLButtonElement} button with `data-autoplay-delay`
   */
  toggle(button) {
    const isPlaying = button.getAttribute("aria-pressed") !== "true";
    this.stopTimer();
    button.setAttribute("aria-pressed", String(isPlaying));
    this.#element.toggleAttribute("playing", isPlaying);
    if (isPlaying) this.#pressTargetRepeatedly(button);
  }

  /** Stop the timer; the button remains pressed. */
  stopTimer() {
    clearTimeout(this.#timer);
  }

  /** @param {HTMLButtonElement} previousAutoplayButton the button before the last answer, in case the answer lacks it */
  #pressTargetRepeatedly(previousAutoplayButton) {
    const button = this.#element.querySelector("[data-autoplay-delay][aria-pressed=true]") ?? previousAutoplayButton;
    const next = this.#element.querySelector(button.dataset.autoplayButton);
    const isReady = this.#element.dataset.state === "ready";
    if (!next || next.disabled) return this.toggle(button);
    this.#timer = setTimeout(() => this.#pressTargetRepeatedly(button), isReady ? Number(button.dataset.autoplayDelay) : RETRY_DELAY);
    if (isReady) next.click();
  }
}
