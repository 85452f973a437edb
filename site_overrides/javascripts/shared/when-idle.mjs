// Runs a task after the first answer, or when neither the user nor Python has been active for some time.
import { pythonClient } from "../engine/client.mjs";

const IDLE_TIME = 5_000; // ms

/** Run a task once: after the next answer, or when the page has been idle.
 *  @param {() => void} task */
export function runAfterAnswerOrIdle(task) {
  const controller = new AbortController();
  const options = { signal: controller.signal, passive: true, capture: true };
  let timer = 0;
  const run = () => {
    clearTimeout(timer);
    controller.abort();
    task();
  };
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (pythonClient.state === "starting" ? restartTimer() : run()), IDLE_TIME);
  };
  for (const type of ["pointerdown", "keydown", "scroll"]) addEventListener(type, restartTimer, options);
  pythonClient.addEventListener("answered", run, options);
  restartTimer();
}
