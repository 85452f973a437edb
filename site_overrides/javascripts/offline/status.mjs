/** Return the offline state of the site from its service worker registration; `checkPrecache` asks the active worker. */
export async function readOfflineState({ installing, waiting, active }, checkPrecache) {
  if (active) return (await checkPrecache(active)) ? "ready" : "failed";
  return installing || waiting ? "working" : "failed";
}
