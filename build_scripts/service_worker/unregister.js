// Published as the site's service worker where the site is no longer to be kept on readers' devices: it drops what
// an earlier one kept, and takes itself away. The next page comes from the server again.
const { pathname } = new URL("./", self.location);
const storeName = `${pathname === "/" ? "" : pathname}scratch-offline`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(remove()));

async function remove() {
  await caches.delete(storeName);
  await self.registration.unregister();
}
