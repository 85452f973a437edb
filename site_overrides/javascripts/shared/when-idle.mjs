// Work that can wait: until the first answer is there, or until neither the reader nor Python has done anything for a while.
import { engine } from "../engine/client.mjs";

const QUIET = 5_000; // ms

export function whenQuiet(work) {
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
    timer = setTimeout(() => (engine.state === "starting" ? wait() : begin()), QUIET);
  };
  for (const sign of ["pointerdown", "keydown", "scroll"]) addEventListener(sign, wait, how);
  engine.addEventListener("answered", begin, how);
  wait();
}
