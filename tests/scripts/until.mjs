// Waiting in tests: for a condition, never for a time or a number of turns of the event loop.
import { setImmediate as nextTurn } from "node:timers/promises";

const TIME_LIMIT = 120_000; // ms
const { now } = performance; // not mocked by node:test

/** Wait until a condition holds; check it once per turn of the event loop. Rejects after two minutes. */
export async function until(condition) {
  const end = now.call(performance) + TIME_LIMIT;
  while (!condition()) {
    if (now.call(performance) > end) throw new Error(`waited two minutes for ${condition}`);
    await nextTurn();
  }
}

/** Wait until each promise that waits for no event is settled: the event loop goes on only after the last of them. */
export const settlePromises = () => nextTurn();
