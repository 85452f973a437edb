// Nothing moves under a finger: while a button is held down, an answer that comes waits. Put into the page at once it could
// carry the button away before the finger is lifted, and the browser would make no click of it.
const PRESSED = "button, summary, a[href], label, [type=checkbox], [type=radio], [data-gather]";
const NO_CLICK = 100; // ms after which a lifted finger is known to have meant no click

/** Watch the presses in an element. Gives a function whose result is awaited: done as soon as nothing is held down. */
export function trackPointerPress(element, signal) {
  let held = null;
  let release = () => {};
  const releaseSoon = (pause) => setTimeout(release, pause); // `release` as it is now: of this press, not of the next
  const down = ({ target }) => {
    if (held || !target.closest(PRESSED)) return;
    const mine = new Promise((done) => {
      release = () => {
        if (held === mine) held = null; // else the next press is down already
        done();
      };
    });
    held = mine;
  };
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("keydown", (event) => event.key === " " && down(event), { signal }); // lifted, it is a click
  addEventListener("click", () => releaseSoon(0), { signal, capture: true }); // after the click's own listeners
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) addEventListener(end, () => releaseSoon(NO_CLICK), { signal });
  return () => held;
}

/** What the reader asks for, one behind the other: each is asked on the answer of the one before. One of them is
 *  {words, edits, includesForm, isTyping, gathers, isContinuation}: what it is called, what was changed in the form since the one before,
 *  whether all of the form goes with it, whether it was no press but typing, the control that it was gathered for, and
 *  whether nobody has asked for it but an unfinished answer. */
export class RequestQueue {
  underWay = null;
  #waiting = [];

  /** Put one behind what waits. What was typed goes along with what is asked of the same form after it, and what is
   *  gathered for a control with what is gathered there next; more of an unfinished answer gives way to everything. */
  add(one) {
    const last = this.#waiting.at(-1);
    if (!last && (this.underWay?.isContinuation || (this.underWay?.isTyping && one.includesForm))) this.underWay = null;
    if (last && takesAlong(one, last)) {
      this.#waiting.pop();
      if (last.edits) one.edits = new Map([...last.edits, ...(one.edits ?? [])]);
    }
    this.#waiting.push(one);
  }

  /** What is to be asked now; null when nothing waits. */
  next() {
    this.underWay = this.#waiting.shift() ?? null;
    return this.underWay;
  }

  /** Nothing is under way or waits any more; gives what did. */
  clear() {
    const all = [this.underWay, ...this.#waiting].filter(Boolean);
    this.underWay = null;
    this.#waiting = [];
    return all;
  }

  get isWaiting() {
    return this.#waiting.length > 0;
  }

  /** What the reader has changed in the form since what is under way was asked for, as far as it belongs to what waits. */
  get edits() {
    return new Map(this.#waiting.flatMap((one) => [...(one.edits ?? [])]));
  }

  /** Whether what waits last is being gathered for a control. */
  gathers(name) {
    return this.#waiting.at(-1)?.gathers === name;
  }
}

const takesAlong = (one, last) => one.includesForm && (last.isTyping || (one.gathers && one.gathers === last.gathers));
