/** Return the offline state of the site from its service worker registration; `askIfPrecached` asks the active worker.
 *  @returns {Promise<"ready" | "working" | "failed">} */
export async function readOfflineState({ installing, waiting, active }, askIfPrecached) {
  if (active) return (await askIfPrecached(active)) ? "ready" : "failed";
  return installing || waiting ? "working" : "failed";
}
