// The site's service worker: precaches every file of one build and answers requests from the cache, online or offline.
// The last step of the build defines PRECACHE, the precache manifest: path to SHA-256 digest. A changed file changes the manifest,
// and so the browser installs a new worker.
//
// All versions share one cache. The key of an entry is the file's path and digest, so a worker finds the files of its
// own manifest only, whatever else the cache contains: versions can't mix. A response with a wrong digest is never
// cached. A worker that lacks a file does not finish its installation, and the next attempt fetches the missing files only.
import { cacheName, pathname, root } from "./cache-name.js";

const digests = new Map(Object.entries(PRECACHE)); // by path
const MAX_PARALLEL_FETCHES = 6;
// The messages from the page, see register.mjs.
const CHECK_PRECACHE = "check-precache";
const SKIP_WAITING = "skip-waiting";

const cacheKeyOf = (path) => `${root}${path}?${digests.get(path)}`;
/** Return the URL of a file on the server: the index page of a folder has the URL of the folder. */
const urlOf = (path) => root + path.replace(/(^|\/)index\.html$/, "$1");

async function computeDigest(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Find a cached response. Unlike `caches.open`, this creates no cache where unregister.js has just deleted it. */
const findCached = (request, options) => caches.match(request, { cacheName, ignoreVary: true, ...options });

/** Fetch a file of this version. Throws if the server has no file with the digest of the manifest. */
async function fetchVersion(path) {
  for (const cache of ["default", "reload"]) {
    // the HTTP cache saves bytes, but may return another version
    const response = await fetch(urlOf(path), { cache });
    const original = response.clone();
    const bytes = await response.arrayBuffer();
    if ((await computeDigest(bytes)) !== digests.get(path)) continue;
    const isPlain = response.status === 200 && !response.redirected; // an unchanged response keeps the browser's compiled code
    const headers = { "content-type": response.headers.get("content-type") ?? "" };
    return isPlain ? original : new Response(bytes, { headers });
  }
  throw new Error(`${path} is not the file of this version`);
}

/** Fetch a file into the cache unless it is there. */
async function cacheFile(cache, path) {
  if (await cache.match(cacheKeyOf(path), { ignoreVary: true })) return;
  await cache.put(cacheKeyOf(path), await fetchVersion(path));
}

async function precacheAll() {
  const cache = await caches.open(cacheName);
  const paths = digests.keys(); // one iterator for all fetch loops
  const runFetchLoop = async () => {
    for (const path of paths) await cacheFile(cache, path);
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_FETCHES }, runFetchLoop));
}

async function checkAllCached() {
  const cachedKeys = new Set((await (await caches.open(cacheName)).keys()).map((request) => request.url));
  return [...digests.keys()].every((path) => cachedKeys.has(cacheKeyOf(path)));
}

/** Delete the files of older versions, unless another tab may still use one of them. */
async function sweepOldFiles() {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tabs.length > 1) return;
  const cache = await caches.open(cacheName);
  const currentKeys = new Set([...digests.keys()].map(cacheKeyOf));
  const oldRequests = (await cache.keys()).filter((request) => !currentKeys.has(request.url));
  await Promise.all(oldRequests.map((request) => cache.delete(request)));
}

// ---- responses

async function respond(request, path) {
  if (path === "sitemap.xml") return buildSitemap();
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (digests.has(file)) return (await findCached(cacheKeyOf(file))) ?? refetchFile(file);
  if (digests.has(`${file}/index.html`)) return Response.redirect(`${root}${file}/${new URL(request.url).search}`);
  // A tab of the previous version requests its own assets, whose names no other version uses.
  const previousAsset = path.startsWith("assets/") && (await findCached(root + path, { ignoreSearch: true }));
  return previousAsset || fetch(request).catch(() => buildNotFoundResponse(request));
}

/** Fetch a file that the browser has evicted. If the whole cache is gone, unregister.js may have deleted it: create no new one. */
async function refetchFile(path) {
  try {
    const response = await fetchVersion(path);
    if (await caches.has(cacheName)) await (await caches.open(cacheName)).put(cacheKeyOf(path), response.clone()).catch(() => {});
    return response;
  } catch {
    return Response.error();
  }
}

/** Build the response of a server to an unknown URL. */
async function buildNotFoundResponse(request) {
  if (request.mode !== "navigate") return Response.error();
  const page = await findCached(cacheKeyOf("404.html"));
  return new Response(await page?.blob(), { status: 404, headers: page?.headers });
}

/** Build the sitemap. The theme's instant navigation handles listed pages only, and a sitemap has absolute URLs, which
 *  the build does not know. */
function buildSitemap() {
  const pages = [...digests.keys()].filter((path) => /(^|\/)index\.html$/.test(path));
  const entries = pages.map((path) => `<url><loc>${urlOf(path)}</loc></url>`).join("\n");
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>`;
  return new Response(text, { headers: { "content-type": "application/xml" } });
}

/** Fetch the files that the browser has evicted, if any. Returns whether all files are cached now. */
async function repairPrecache() {
  if (await checkAllCached()) return true;
  return precacheAll().then(
    () => true,
    () => false,
  );
}

self.addEventListener("install", (event) => event.waitUntil(precacheAll()));
self.addEventListener("activate", (event) => event.waitUntil(sweepOldFiles()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  const path = new URL(request.url).pathname.slice(pathname.length);
  event.respondWith(respond(request, path));
});

// A page asks the active worker for the state of the cache, or tells the waiting worker to activate when the user has
// accepted the new version.
self.addEventListener("message", (event) => {
  if (event.data?.type === SKIP_WAITING) self.skipWaiting();
  if (event.data?.type !== CHECK_PRECACHE) return;
  event.waitUntil(repairPrecache().then((isComplete) => event.ports[0]?.postMessage(isComplete)));
});
