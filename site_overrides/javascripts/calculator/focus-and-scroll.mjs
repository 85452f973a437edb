// Focus and scroll position after an answer. docs/contributing/calculator-attributes.md lists the attributes. Without a
// [data-focus] the pressed control stays where it was on the screen, or else its nearest neighbour that remains.
import { focusFirst, FOCUSABLE, findSameButton } from "./form.mjs";

const before = new WeakMap(); // each calculator's last data-focus
let lock = null; // the screen's wake lock, or the promise of one

/** What can be reached in a calculator before an answer comes, the nearest to what was pressed first: pairs of element and
 *  place, which is null out of view. */
export function captureScrollAnchors(calculator, pressed) {
  const all = [...calculator.querySelectorAll(`.calculator-body ${FOCUSABLE}`)].filter((each) => each.checkVisibility());
  const at = all.indexOf(all.includes(pressed) ? pressed : document.activeElement); // its fold may have closed
  if (at < 0) return [];
  const top = Math.max(0, document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0);
  const isInView = (box) => box.bottom > top && box.top < innerHeight;
  const placeOf = (each) => [each.getBoundingClientRect()].find(isInView) ?? null;
  const far = (place) => 2 * Math.abs(place - at) - Number(place > at); // of two as near the later one first
  const byDistance = all.map((each, place) => ({ each, far: far(place) })).sort((one, other) => one.far - other.far);
  return byDistance.map(({ each }) => [each, placeOf(each)]);
}

/** Return where a press leads: `revealed` is the selector of what it scrolls into view, "" for none; `opener` the name and
 *  value of the button that takes the focus back, null for none. */
export function destinationOf(pressed) {
  const { returns, unless } = pressed?.dataset ?? {};
  const opener = returns && !(unless && pressed.form?.querySelector(unless)) ? [pressed.name, returns] : null;
  return { revealed: pressed?.closest?.("[data-into-view]")?.dataset.intoView ?? "", opener };
}

/** After an answer; `ask`: the reader has asked for it by a button, `typed`: by anything done in the form, `isContinuation`: by
 *  nothing, it is more of an unfinished one; `places` are those around what was pressed, as they were before, and
 *  `destination` is where the press leads. */
export function applyFocusAndScroll(calculator, { ask, typed, isContinuation }, places, { revealed = "", opener = null } = {}) {
  const place = calculator.querySelector("[data-focus]");
  const isOther = before.get(calculator) !== place?.dataset.focus;
  before.set(calculator, place?.dataset.focus);
  const isPress = ask && !isContinuation;
  const back = isPress && opener && findSameButton(calculator.querySelector("form"), ...opener);
  if (back && isReachable(calculator, back)) {
    stay(calculator, isPress, places);
    back.focus({ preventScroll: true });
    back.scrollIntoView({ block: "nearest", behavior: "instant" });
  } else if (place && !isContinuation && (ask || (typed && isOther))) {
    place.focus({ preventScroll: true });
    const frame = place.closest("[data-frame], .calculator");
    frame.scrollIntoView({ block: frame.dataset.frame || "start", behavior: "instant" });
  } else stay(calculator, isPress, places);
  if (revealed && isPress && !back) calculator.querySelector(revealed)?.scrollIntoView({ block: "nearest", behavior: "instant" });
  calculator.querySelectorAll("[data-in-view]").forEach(showInRow);
  void stayAwake();
}

const isReachable = (calculator, each) => calculator.contains(each) && each.matches(FOCUSABLE) && each.checkVisibility();

/** Leave the page where it was by the nearest of `places` that is left and was in view, and give it the focus, if lost. */
function stay(calculator, isPress, places) {
  const again = (each) =>
    isReachable(calculator, each)
      ? each
      : each.type === "submit" && findSameButton(calculator.querySelector("form"), each.name, each.value);
  const left = places.map(([each, box]) => [again(each), box]).filter(([each]) => each && isReachable(calculator, each));
  const [anchor, place] = left.find(([, box]) => box) ?? [];
  if (anchor) {
    const shift = () => anchor.getBoundingClientRect().top - place.top;
    const frame = anchor.closest("[data-pans]");
    if (frame) frame.scrollTop += shift(); // first what it stands in, then the page
    scrollBy({ top: shift(), behavior: "instant" });
  }
  if (document.activeElement !== document.body && !document.activeElement.disabled) return; // disabled, it has lost the focus
  if (left.length) (anchor ?? left[0][0]).focus({ preventScroll: Boolean(anchor) });
  else if (isPress || places.length) focusFirst(calculator);
}

/** Keep a pressed fold where it is on the screen, though its opening may lay the line anew that it stands in. */
export function holdScrollPosition(fold) {
  const { top } = fold.getBoundingClientRect();
  const keep = () => scrollBy({ top: fold.getBoundingClientRect().top - top, behavior: "instant" });
  fold.parentElement.addEventListener("toggle", keep, { once: true });
}

function showInRow(one) {
  const pans = one.closest("[data-pans]");
  const row = pans ?? one.parentElement;
  const [part, frame] = [one, row].map((each) => each.getBoundingClientRect());
  const isIn = part.left >= frame.left && part.right <= frame.right && part.top >= frame.top && part.bottom <= frame.bottom;
  if (pans && isIn) return;
  row.scrollLeft += part.left - frame.left - (row.clientWidth - part.width) / 2;
  if (pans) row.scrollTop += part.top - frame.top - (row.clientHeight - part.height) / 2;
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
