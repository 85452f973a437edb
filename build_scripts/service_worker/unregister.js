// Replaces the site's service worker in a build without offline support: deletes the cache of an earlier worker and
// unregisters itself. From the next page on, all requests go to the server again.
import { cacheName } from "./cache-name.js";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(deleteCacheAndUnregister()));

async function deleteCacheAndUnregister() {
  await caches.delete(cacheName);
  await self.registration.unregister();
}
