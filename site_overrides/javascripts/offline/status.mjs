/** Whether the site can be used offline: not without a manifest; with Data Saver on, the user decides first.
 *  @typedef {"none" | "offered" | "working" | "ready" | "failed"} OfflineState */

/** Read the offline state of the site from its service worker registration.
 *  @param {Pick<ServiceWorkerRegistration, "installing" | "waiting" | "active">} registration
 *  @param {(worker: ServiceWorker) => Promise<boolean>} requestPrecacheState requests from the active worker whether all files are cached
 *  @returns {Promise<"ready" | "working" | "failed">} */
export async function readOfflineState({ installing, waiting, active }, requestPrecacheState) {
  if (active) return (await requestPrecacheState(active)) ? "ready" : "failed";
  return installing || waiting ? "working" : "failed";
}
