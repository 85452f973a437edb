// Strokes on a drawing, by pointer and by keyboard. The values of the passed parts go into a control; this module does not
// interpret them.
//
//   <svg data-stroke-control="stroke" data-parts="space" data-tool="brush">   the control to fill; the attribute of the parts;
//                                                                             the control whose value precedes the stroke
//     <polygon data-space="3,4" tabindex="-1">                                a part with the value "3,4"
//     <g data-drag-preview="3,4">                                             moves with the pointer when "3,4" is dragged
//   <input name="brush" data-drags>                                           a tool that drags: only its ends count
//
// A press on 3,4 sends "pick: 3,4", a stroke over three parts "pick: 3,4 4,4 5,4". The arrow keys move to the next part in
// their direction. Enter presses a part. Space begins a stroke, which the arrow keys continue, and ends it; Escape cancels it.
// During a stroke its parts have data-in-stroke, and the drawing has data-stroking.
const STEP_LENGTH = 6; // CSS pixels between two points of the pointer's path that are tested for parts
const MAX_STEPS = 200; // for one movement of the pointer

/** @typedef {[x: number, y: number]} Point */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Stroke {
  /** @type {Point | undefined} */
  #dragStart; // the pointer when the drag preview began to move
  /** @type {string[]} */
  #values = [];
  /** @type {HTMLInputElement | null} */
  #tool;

  /**
   * Begin a stroke in a drawing at a part.
   * @param {HTMLElement} drawing
   * @param {Element} part
   */
  constructor(drawing, part) {
    this.drawing = drawing;
    this.#tool = findCheckedTool(drawing);
    this.isDrag = Boolean(this.#tool?.hasAttribute("data-drags"));
    drawing.setAttribute("data-stroking", "");
    this.addOrReplaceLastPart(part);
    this.preview = this.isDrag ? drawing.querySelector(`[data-drag-preview="${CSS.escape(this.#values[0])}"]`) : null;
  }

  /**
   * Add a part, unless it is the last one. When dragging, it replaces the last one.
   * @param {Element} part
   */
  addOrReplaceLastPart(part) {
    const value = partValueOf(this.drawing, part);
    if (value === this.#values.at(-1)) return;
    if (this.isDrag) {
      this.#values.splice(1);
      for (const other of this.drawing.querySelectorAll("[data-in-stroke]")) {
        other.toggleAttribute("data-in-stroke", partValueOf(this.drawing, other) === this.#values[0]);
      }
    }
    if (value !== this.#values[0] || !this.isDrag) this.#values.push(value);
    part.setAttribute("data-in-stroke", "");
  }

  /**
   * Move the drag preview to the pointer, in the drawing's coordinates.
   * @param {Point} pointer
   */
  movePreview([x, y]) {
    const drawing = /** @type {HTMLElement & { getScreenCTM?: SVGGraphicsElement["getScreenCTM"] }} */ (this.drawing);
    const matrix = drawing.querySelector("svg")?.getScreenCTM() ?? drawing.getScreenCTM?.();
    if (!this.preview || !matrix) return;
    this.#dragStart ??= [x, y];
    const [startX, startY] = this.#dragStart;
    this.preview.setAttribute("transform", `translate(${(x - startX) / matrix.a} ${(y - startY) / matrix.d})`);
  }

  /**
   * End the stroke and remove its marks.
   * @returns {string} the tool and the values of the parts
   */
  endAndFormat() {
    this.drawing.removeAttribute("data-stroking");
    this.preview?.removeAttribute("transform");
    for (const part of this.drawing.querySelectorAll("[data-in-stroke]")) part.removeAttribute("data-in-stroke");
    return (this.#tool ? `${this.#tool.value}: ` : "") + this.#values.join(" ");
  }
}

/**
 * Find the checked tool of a drawing.
 * @param {HTMLElement} drawing
 * @returns {HTMLInputElement | null} null if the drawing has no tools
 */
function findCheckedTool(drawing) {
  const { tool } = drawing.dataset;
  return tool ? drawing.closest("form").querySelector(`[name="${CSS.escape(tool)}"]:checked`) : null;
}

/**
 * Return the value of a part.
 * @param {HTMLElement} drawing
 * @param {Element} part
 */
const partValueOf = (drawing, part) => /** @type {string} */ (part.getAttribute(`data-${drawing.dataset.parts}`));

/**
 * Find the part of a drawing that an element is in.
 * @param {HTMLElement} drawing
 * @param {any} target
 * @returns {HTMLElement | null}
 */
function findPartAround(drawing, target) {
  const part = target?.closest?.(`[data-${drawing.dataset.parts}]`);
  return part && drawing.contains(part) ? part : null;
}

/**
 * Find the nearest part in the direction of an arrow key.
 * @param {HTMLElement} drawing
 * @param {Element} origin
 * @param {Point} direction
 * @param {number} [columnX] where vertical movement began, so that it stays in its column
 * @returns {HTMLElement | undefined}
 */
function findNextPart(drawing, origin, [right, down], columnX) {
  /** @param {DOMRect} box @returns {Point} */
  const centreOf = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const originBox = origin.getBoundingClientRect();
  const [centreX, y] = centreOf(originBox);
  const x = columnX ?? centreX;
  let best = null;
  for (const part of drawing.querySelectorAll(`[data-${drawing.dataset.parts}]`)) {
    const [partX, partY] = centreOf(part.getBoundingClientRect());
    const along = (partX - centreX) * right + (partY - y) * down;
    const aside = down ? Math.abs(partX - x) : Math.abs(partY - y);
    if (along < 2 || aside > originBox[down ? "width" : "height"] * 0.7) continue;
    const distance = along * 4 + aside;
    if (!best || distance < best.distance - 0.5) best = { part, distance };
  }
  return best?.part;
}

/**
 * Move the focus to a part; the Tab key then returns to it.
 * @param {HTMLElement} drawing
 * @param {HTMLElement} part
 */
function focusPart(drawing, part) {
  for (const other of drawing.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
  part.setAttribute("tabindex", "0");
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/**
 * Track the strokes on all drawings in an element, also on those that an answer adds.
 * @param {HTMLElement} element
 * @param {AbortSignal} signal removes the listeners
 * @param {(controlName: string, stroke: string) => void} handleStroke called at the end of each stroke
 */
export function trackStrokes(element, signal, handleStroke) {
  /** @type {Stroke | null} */
  let stroke = null; // the current one, by pointer or by keyboard
  /** @type {number | null} */
  let pointerId = null; // of a stroke by pointer
  /** @type {Point} */
  let lastPoint = [0, 0];
  /** @type {number | undefined} */
  let columnX; // see `findNextPart`

  const cancelStroke = () => {
    stroke?.endAndFormat();
    stroke = pointerId = null;
  };
  /** @param {Stroke} finishedStroke */
  const finishStroke = (finishedStroke) => {
    const text = finishedStroke.endAndFormat();
    stroke = pointerId = null;
    handleStroke(/** @type {string} */ (finishedStroke.drawing.dataset.strokeControl), text);
  };

  /**
   * Find the drawing and the part of an event.
   * @param {Event} event
   * @returns {[drawing: HTMLElement, part: HTMLElement] | [drawing?: undefined, part?: undefined]}
   */
  const findTarget = ({ target }) => {
    const drawing = target?.closest?.("[data-stroke-control]");
    const part = drawing && findPartAround(drawing, target);
    return part ? [drawing, part] : [];
  };

  /** @param {PointerEvent} event */
  const handlePointerDown = (event) => {
    const [drawing, part] = findTarget(event);
    if (!drawing || event.button !== 0 || !event.isPrimary) return;
    cancelStroke();
    listenForTouch(drawing); // an answer may have added the drawing
    part.focus({ preventScroll: true });
    columnX = undefined;
    pointerId = event.pointerId;
    lastPoint = [event.clientX, event.clientY];
    stroke = new Stroke(drawing, part);
    part.setPointerCapture(pointerId);
    event.preventDefault();
  };

  /** @param {PointerEvent} event */
  const handlePointerMove = (event) => {
    if (event.pointerId !== pointerId || !stroke) return;
    const [startX, startY] = lastPoint;
    const [moveX, moveY] = [event.clientX - startX, event.clientY - startY];
    const steps = Math.ceil(Math.hypot(moveX, moveY) / STEP_LENGTH);
    for (let step = 1; step <= Math.min(steps, MAX_STEPS); step++) {
      const element = document.elementFromPoint(startX + (moveX * step) / steps, startY + (moveY * step) / steps);
      const part = findPartAround(stroke.drawing, element);
      if (part) stroke.addOrReplaceLastPart(part);
    }
    lastPoint = [event.clientX, event.clientY];
    stroke.movePreview(lastPoint);
  };

  /** @param {PointerEvent} event */
  const handlePointerUp = (event) => {
    if (event.pointerId === pointerId && stroke) finishStroke(stroke);
  };

  /** @param {KeyboardEvent} event */
  const handleKey = (event) => {
    const [drawing, part] = findTarget(event);
    if (!drawing || event.ctrlKey || event.metaKey || event.altKey || pointerId !== null) return;
    const direction = ARROWS[event.key];
    if (direction) {
      const box = part.getBoundingClientRect();
      columnX = direction[1] ? (columnX ?? box.x + box.width / 2) : undefined;
      const next = findNextPart(drawing, part, direction, columnX);
      if (next) focusPart(drawing, next);
      if (next) stroke?.addOrReplaceLastPart(next);
    } else if (event.key === "Enter") {
      finishStroke(stroke ?? new Stroke(drawing, part));
    } else if (event.key === " ") {
      if (stroke) finishStroke(stroke);
      else stroke = new Stroke(drawing, part);
    } else if (event.key === "Escape" && stroke) cancelStroke();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /**
   * Prevent scrolling by a finger during a stroke, unless a drag finds nothing to move.
   * @param {TouchEvent} event
   */
  const handleTouchMove = (event) => {
    if (stroke && pointerId !== null && event.cancelable && (stroke.preview || !stroke.isDrag)) event.preventDefault();
  };
  /**
   * Listen on the drawing only, because a page whose scrolling waits for scripts is slow. A second call has no effect.
   * @param {HTMLElement} drawing
   */
  const listenForTouch = (drawing) => drawing.addEventListener("touchmove", handleTouchMove, { signal, passive: false });

  element.addEventListener("pointerdown", handlePointerDown, { signal });
  element.addEventListener("pointermove", handlePointerMove, { signal });
  element.addEventListener("pointerup", handlePointerUp, { signal });
  element.addEventListener("pointercancel", cancelStroke, { signal });
  element.addEventListener("keydown", handleKey, { signal });
  element.querySelectorAll("[data-stroke-control]").forEach(listenForTouch);
}
