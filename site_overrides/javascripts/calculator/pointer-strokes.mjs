// A drawing to press, to draw over and to drag in, by pointer and by keys. It knows nothing of what is drawn.
//
//   <svg data-gather="stroke" data-parts="space" data-tool="brush">   the control to fill; what tells the parts apart;
//                                                                     a control whose value goes before what is gathered
//     <polygon data-space="3,4" tabindex="-1">                        a part; its value is "3,4"
//     <g data-rides="3,4">                                            goes along with the pointer when "3,4" is dragged
//   <input name="brush" data-carries>                                 with this tool one drags: first and last part count
//
// One press on 3,4 gathers "pick: 3,4", a stroke over three parts "pick: 3,4 4,4 5,4". By keys: the arrows go to the next
// part that way, Enter presses, Space begins a stroke that the arrows go on with and Space ends; Escape drops it. While a
// stroke lasts, its parts have data-passed, and the drawing data-gathering.
const STEP = 6; // CSS pixels between two looks at what lies under the pointer's way
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Stroke {
  start; // where the pointer was when what rides along began to

  constructor(drawing, part) {
    this.drawing = drawing;
    this.tool = toolOf(drawing);
    this.carries = Boolean(this.tool?.hasAttribute("data-carries"));
    this.values = [];
    drawing.setAttribute("data-gathering", "");
    this.addCell(part);
    this.rider = this.carries ? drawing.querySelector(`[data-rides="${CSS.escape(this.values[0])}"]`) : null;
  }

  addCell(part) {
    const value = valueIn(this.drawing, part);
    if (value === this.values.at(-1)) return;
    if (this.carries) {
      this.values.splice(1);
      for (const other of this.drawing.querySelectorAll("[data-passed]")) {
        other.toggleAttribute("data-passed", valueIn(this.drawing, other) === this.values[0]);
      }
    }
    if (value !== this.values[0] || !this.carries) this.values.push(value);
    part.setAttribute("data-passed", "");
  }

  /** Let what rides along follow, in the drawing's own measure. */
  moveDragPreview(x, y) {
    const matrix = this.drawing.querySelector("svg")?.getScreenCTM() ?? this.drawing.getScreenCTM?.();
    if (!this.rider || !matrix) return;
    this.start ??= [x, y];
    this.rider.setAttribute("transform", `translate(${(x - this.start[0]) / matrix.a} ${(y - this.start[1]) / matrix.d})`);
  }

  end() {
    this.drawing.removeAttribute("data-gathering");
    this.rider?.removeAttribute("transform");
    for (const part of this.drawing.querySelectorAll("[data-passed]")) part.removeAttribute("data-passed");
    return this.values;
  }
}

const toolOf = (drawing) =>
  drawing.dataset.tool && drawing.closest("form").querySelector(`[name="${CSS.escape(drawing.dataset.tool)}"]:checked`);

const parts = (drawing) => [...drawing.querySelectorAll(`[data-${drawing.dataset.parts}]`)];

const valueIn = (drawing, part) => part.getAttribute(`data-${drawing.dataset.parts}`);

function partAt(drawing, target) {
  const part = target?.closest?.(`[data-${drawing.dataset.parts}]`);
  return part && drawing.contains(part) ? part : null;
}

/** The nearest part that way; going up and down keeps to the place `keptX` from which it began. */
function nextPart(drawing, from, [right, down], keptX) {
  const centre = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const own = from.getBoundingClientRect();
  const [x, y] = [keptX ?? centre(own)[0], centre(own)[1]];
  let best = null;
  for (const part of parts(drawing)) {
    const [px, py] = centre(part.getBoundingClientRect());
    const along = (px - centre(own)[0]) * right + (py - y) * down;
    const aside = down ? Math.abs(px - x) : Math.abs(py - y);
    if (along < 2 || aside > own[down ? "width" : "height"] * 0.7) continue;
    const far = along * 4 + aside;
    if (!best || far < best.far - 0.5) best = { part, far };
  }
  return best?.part;
}

/** Gather in every drawing inside `host`, now and later; `done(control, text)` is told at the end of each stroke. */
export function trackStrokes(host, signal, done) {
  let stroke = null; // by pointer or by keys
  let pointer = null;
  let last = null;
  let keptX;

  const finish = () => {
    const { drawing, tool } = stroke;
    const values = stroke.end();
    stroke = pointer = null;
    done(drawing.dataset.gather, (tool ? `${tool.value}: ` : "") + values.join(" "));
  };
  const drop = () => {
    stroke?.end();
    stroke = pointer = null;
  };
  const drawingOf = (event) => event.target.closest?.("[data-gather]");

  const down = (event) => {
    const drawing = drawingOf(event);
    const part = drawing && partAt(drawing, event.target);
    if (!part || event.button !== 0 || !event.isPrimary) return;
    drop();
    holdIn(drawing); // it may have come with an answer
    part.focus({ preventScroll: true });
    keptX = undefined;
    pointer = event.pointerId;
    last = [event.clientX, event.clientY];
    stroke = new Stroke(drawing, part);
    part.setPointerCapture(pointer);
    event.preventDefault();
  };

  const move = (event) => {
    if (event.pointerId !== pointer) return;
    const steps = Math.ceil(Math.hypot(event.clientX - last[0], event.clientY - last[1]) / STEP);
    for (let step = 1; step <= Math.min(steps, 200); step++) {
      const at = [0, 1].map((axis) => last[axis] + (([event.clientX, event.clientY][axis] - last[axis]) * step) / steps);
      const part = partAt(stroke.drawing, document.elementFromPoint(at[0], at[1]));
      if (part) stroke.addCell(part);
    }
    last = [event.clientX, event.clientY];
    stroke.moveDragPreview(...last);
  };

  const up = (event) => event.pointerId === pointer && finish();

  const key = (event) => {
    const drawing = drawingOf(event);
    const part = drawing && partAt(drawing, event.target);
    if (!part || event.ctrlKey || event.metaKey || event.altKey || pointer !== null) return;
    if (ARROWS[event.key]) {
      const box = part.getBoundingClientRect();
      keptX = ARROWS[event.key][1] ? (keptX ?? box.x + box.width / 2) : undefined;
      const next = nextPart(drawing, part, ARROWS[event.key], keptX);
      if (next) focus(drawing, next);
      if (next && stroke) stroke.addCell(next);
    } else if (event.key === "Enter") {
      if (!stroke) stroke = new Stroke(drawing, part);
      finish();
    } else if (event.key === " ") {
      if (stroke) finish();
      else stroke = new Stroke(drawing, part);
    } else if (event.key === "Escape" && stroke) drop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const focus = (drawing, part) => {
    for (const other of drawing.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    part.setAttribute("tabindex", "0");
    part.focus({ preventScroll: true });
    part.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  // A finger scrolls where a carrying tool finds nothing to carry; everywhere else the stroke is meant.
  const hold = (event) => {
    if (pointer !== null && event.cancelable && (stroke.rider || !stroke.carries)) event.preventDefault();
  };

  // Only drawings listen like this: a page whose scrolling waits for scripts is slow.
  const holdIn = (drawing) => drawing.addEventListener("touchmove", hold, { signal, passive: false }); // added twice: once

  const listen = (name, act) => host.addEventListener(name, act, { signal });
  listen("pointerdown", down);
  listen("pointermove", move);
  listen("pointerup", up);
  listen("pointercancel", drop);
  listen("keydown", key);
  host.querySelectorAll("[data-gather]").forEach(holdIn);
}
