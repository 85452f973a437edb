/** How far the site is kept, by its service worker's registration; `isAllKept` asks the worker that answers. */
export async function stateOf({ installing, waiting, active }, isAllKept) {
  if (active) return (await isAllKept(active)) ? "ready" : "failed";
  return installing || waiting ? "working" : "failed";
}
