// Where the eye, the focus and the screen go once an answer stands in the page:
//   [data-focus="3"]   takes the focus after a press, or when its value is another than before; what it stands in, the
//                      nearest [data-frame] or else the calculator, is scrolled to its beginning; with the value
//                      "nearest" only as far as it takes to see it
//   [data-in-view]     is revealed into view within the row that it stands in; in a [data-pans] around it, which is moved in
//                      its frame, only where it is out of sight
//   [data-into-view=".map"]   a press in it brings that part of the answer into view, if it isn't, by as little as that takes
//   [data-awake]       the screen stays on while this is in the page, where the browser lets it
// Without a [data-focus] what was pressed, or what stood nearest to it and still does, stays where it was on the screen.
import { focusFirst, REACHED, sameButton } from "./form.mjs";

const before = new WeakMap(); // each calculator's last data-focus
let lock = null; // the screen's wake lock, or the promise of one

/** What can be reached in a calculator before an answer comes, the nearest to what was pressed first: pairs of element and
 *  place, which is null out of view. */
export function placesAround(calculator, pressed) {
  const all = [...calculator.querySelectorAll(`.calculator-body ${REACHED}`)].filter((each) => each.checkVisibility());
  const at = all.indexOf(all.includes(pressed) ? pressed : document.activeElement); // its fold may have closed
  if (at < 0) return [];
  const isInView = (box) => box.bottom > 0 && box.top < innerHeight;
  const placeOf = (each) => [each.getBoundingClientRect()].find(isInView) ?? null;
  const far = (place) => 2 * Math.abs(place - at) - Number(place > at); // of two as near the later one first
  const byDistance = all.map((each, place) => ({ each, far: far(place) })).sort((one, other) => one.far - other.far);
  return byDistance.map(({ each }) => [each, placeOf(each)]);
}

/** Return the selector of what a press scrolls into view; "" for none. */
export const selectorToReveal = (pressed) => pressed?.closest?.("[data-into-view]")?.dataset.intoView ?? "";

/** After an answer; `ask`: the reader has asked for it by a button, `typed`: by anything done in the form, `isMore`: by
 *  nothing, it is more of an unfinished one; `places` are those around what was pressed, as they were before, and
 *  `revealed` is the selector of what the press scrolls into view. */
export function attend(calculator, { ask, typed, isMore }, places, revealed = "") {
  const place = calculator.querySelector("[data-focus]");
  const isOther = before.get(calculator) !== place?.dataset.focus;
  before.set(calculator, place?.dataset.focus);
  requestAnimationFrame(() => calculator.querySelectorAll("[data-in-view]").forEach(showInRow)); // laid out by then anyway
  if (place && !isMore && (ask || (typed && isOther))) {
    place.focus({ preventScroll: true });
    const frame = place.closest("[data-frame], .calculator");
    frame.scrollIntoView({ block: frame.dataset.frame || "start", behavior: "instant" });
  } else {
    stay(calculator, ask && !isMore, places);
    if (revealed && ask && !isMore) calculator.querySelector(revealed)?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
  void stayAwake();
}

/** Keep the page where it was, told by the nearest of `places` that is still there, and the focus, if it has gone, too. */
function stay(calculator, isPress, places) {
  const isThere = (each) => calculator.contains(each) && each.matches(REACHED) && each.checkVisibility();
  const again = (each) =>
    isThere(each) ? each : each.type === "submit" && sameButton(calculator.querySelector("form"), each.name, each.value);
  const left = places.map(([each, box]) => [again(each), box]).filter(([each]) => each && isThere(each));
  const [anchor, place] = left.find(([, box]) => box) ?? [];
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - place.top, behavior: "instant" });
  if (document.activeElement !== document.body && !document.activeElement.disabled) return; // disabled, it has lost the focus
  if (left.length) left[0][0].focus({ preventScroll: Boolean(anchor) });
  else if (isPress || places.length) focusFirst(calculator);
}

/** Keep a pressed fold where it is on the screen, though its opening may lay the line anew that it stands in. */
export function stayInPlace(fold) {
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
