// Work that can wait: until the first answer is there, or until neither the reader nor Python has done anything for a while.
import { pythonClient } from "../engine/client.mjs";

const QUIET = 5_000; // ms

export function runWhenIdle(work) {
  const waiting = new AbortController();
  const how = { signal: waiting.signal, passive: true, capture: true };
  let timer = 0;
  const begin = () => {
    clearTimeout(timer);
    waiting.abort();
    work();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (pythonClient.state === "starting" ? wait() : begin()), QUIET);
  };
  for (const sign of ["pointerdown", "keydown", "scroll"]) addEventListener(sign, wait, how);
  pythonClient.addEventListener("answered", begin, how);
  wait();
}
