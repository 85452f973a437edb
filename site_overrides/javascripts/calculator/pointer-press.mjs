// While a button is held down, an answer waits: it could move the button away before the finger is lifted, and the browser
// would then send no click.
const PRESSABLE = "button, summary, a[href], label, [type=checkbox], [type=radio], [data-stroke-control]";
const CLICK_DELAY = 100; // ms after the release within which a click would follow

/**
 * Track the presses in an element.
 * @param {HTMLElement} element
 * @param {AbortSignal} signal removes the listeners
 * @returns {() => Promise<void> | null} returns a promise of the release, or null while nothing is held down
 */
export function trackPointerPress(element, signal) {
  /** @type {Promise<void> | null} */
  let currentPress = null;
  let release = () => {};
  /** @param {number} delay */
  const releaseAfter = (delay) => setTimeout(release, delay); // of this press: the next one replaces `release`
  /** @param {Event} event */
  const handlePress = ({ target }) => {
    if (currentPress || !(/** @type {Element} */ (target).closest(PRESSABLE))) return;
    /** @type {Promise<void>} */
    const press = new Promise((resolve) => {
      release = () => {
        if (currentPress === press) currentPress = null; // else the next press has begun
        resolve();
      };
    });
    currentPress = press;
  };
  element.addEventListener("pointerdown", handlePress, { signal });
  element.addEventListener("keydown", (event) => event.key === " " && handlePress(event), { signal }); // the browser clicks at keyup
  addEventListener("click", () => releaseAfter(0), { signal, capture: true }); // after the listeners of the click
  for (const end of ["pointerup", "pointercancel", "keyup", "blur"]) addEventListener(end, () => releaseAfter(CLICK_DELAY), { signal });
  return () => currentPress;
}
