// A button with data-every presses the one found by its data-press again and again, until it is pressed itself. What a
// press brings stays for as many milliseconds as data-every had before it, which the answer tells anew each time.
const SOON = 250; // ms until the next look while an answer is under way
export class Autoplay {
  #place;
  #timer = 0;

  /** For a calculator's element. */
  constructor(place) {
    this.#place = place;
  }

  /** Begin, or end what goes on. */
  press(button) {
    const playing = button.getAttribute("aria-pressed") !== "true";
    this.stop();
    button.setAttribute("aria-pressed", playing);
    this.#place.toggleAttribute("playing", playing);
    if (playing) this.#tick(button);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #tick(pressed) {
    const button = this.#place.querySelector("[data-every][aria-pressed=true]") ?? pressed;
    const next = this.#place.querySelector(button.dataset.press);
    const isReady = this.#place.dataset.state === "ready";
    if (!next || next.disabled) return this.press(button);
    this.#timer = setTimeout(() => this.#tick(button), isReady ? Number(button.dataset.every) : SOON);
    if (isReady) next.click();
  }
}
