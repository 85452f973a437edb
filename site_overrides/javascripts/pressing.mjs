// Nothing moves under a finger: while a button is held down, an answer that comes waits. Put into the page at once it could
// carry the button away before the finger is lifted, and the browser would make no click of it.
const PRESSED = "button, summary, a[href], label";
const NO_CLICK = 100; // ms after which a lifted finger is known to have meant no click

/** Watch the presses in an element. Gives a function whose result is awaited: done as soon as nothing is held down. */
export function presses(element, signal) {
  let held = null;
  let release = () => {};
  const releaseSoon = (pause) => setTimeout(release, pause); // `release` as it is now: of this press, not of the next
  const down = ({ target }) => {
    if (held || !target.closest(PRESSED)) return;
    held = new Promise((done) => {
      release = () => {
        held = null;
        done();
      };
    });
  };
  element.addEventListener("pointerdown", down, { signal });
  addEventListener("click", () => releaseSoon(0), { signal, capture: true }); // after the click's own listeners
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => releaseSoon(NO_CLICK), { signal });
  return () => held;
}
