// A button with data-every presses the one found by its data-press again and again, until it is pressed itself.
export class Playing {
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
    if (!playing) return;
    this.#timer = setInterval(() => this.#tick(button), Number(button.dataset.every));
    this.#tick(button);
  }

  stop() {
    clearInterval(this.#timer);
  }

  #tick(button) {
    const next = this.#place.querySelector(button.dataset.press);
    const isOver = !next || next.disabled;
    if (isOver) this.press(this.#place.querySelector("[data-every][aria-pressed=true]") ?? button);
    else if (this.#place.dataset.state === "ready") next.click();
  }
}
