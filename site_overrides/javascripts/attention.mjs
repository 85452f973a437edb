// Where the eye, the focus and the screen go once an answer stands in the page:
//   [data-focus="3"]   takes the focus after a press, or when its value is another than before; what it stands in, the
//                      nearest [data-frame] or else the calculator, is scrolled to its beginning
//   [data-in-view]     is brought into view within the row that it stands in
//   [data-awake]       the screen stays on while this is in the page, where the browser lets it
const before = new WeakMap(); // each calculator's last data-focus
let lock = null; // the screen's wake lock, or the promise of one

/** After an answer; `isPress`: the reader has asked for it by a button, `isTyped`: by anything done in the form. */
export function attend(calculator, isPress, isTyped) {
  const place = calculator.querySelector("[data-focus]");
  const isOther = before.get(calculator) !== place?.dataset.focus;
  before.set(calculator, place?.dataset.focus);
  requestAnimationFrame(() => calculator.querySelectorAll("[data-in-view]").forEach(showInRow)); // laid out by then anyway
  if (place && (isPress || (isTyped && isOther))) {
    place.focus({ preventScroll: true });
    place.closest("[data-frame], .calculator").scrollIntoView({ block: "start", behavior: "instant" });
  } else if (isPress && document.activeElement === document.body) {
    calculator.querySelector(".calculator :is(input, select, textarea, button):not([hidden], [type=hidden])")?.focus();
  }
  stayAwake();
}

function showInRow(one) {
  const row = one.parentElement;
  row.scrollLeft += one.getBoundingClientRect().left - row.getBoundingClientRect().left - (row.clientWidth - one.offsetWidth) / 2;
}

async function stayAwake() {
  const isWanted = document.visibilityState === "visible" && document.querySelector("[data-awake]") !== null;
  if (!navigator.wakeLock || isWanted === (lock !== null)) return;
  const held = lock;
  lock = isWanted ? navigator.wakeLock.request("screen").catch(() => null) : null;
  const got = await (lock ?? held);
  if (!isWanted) got?.release();
  else if (!got) lock = null;
  else got.addEventListener("release", () => (lock = null));
}

document.addEventListener("visibilitychange", stayAwake);
