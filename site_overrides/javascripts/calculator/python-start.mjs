// The start of Python before the first request, as soon as the user seems to need a calculator.
import { pythonClient } from "../engine/client.mjs";

/**
 * Start Python when a calculator is visible, unless the user saves data, and when the user points at it or focuses it.
 * @param {HTMLElement} element the calculator's
 * @param {AbortSignal} signal ends this
 */
export function startPythonWhenVisibleOrUsed(element, signal) {
  const start = () => pythonClient.start(element.getAttribute("name") ?? "");
  for (const type of ["pointerenter", "focusin", "touchstart"]) element.addEventListener(type, start, { signal, passive: true });
  if (navigator.connection?.saveData) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    start();
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
