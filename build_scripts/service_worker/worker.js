// The site's service worker: keeps every file of one build on the device, and answers with them, connection or not.
// The build's last step writes the list, path to SHA-256 digest. Another file is another list, and so another worker.
//
// All versions share one store, and a file lies in it under its path and its digest. So a worker finds the files of its
// own list alone, whatever else lies there: versions can't mix. A file that has not its digest never gets in; where one
// is missing the worker does not take over; and what had arrived before the line broke need not come again.
const LIST = {};

const files = new Map(Object.entries(LIST));
const root = new URL("./", self.location).href;
const { pathname } = new URL(root);
const storeName = `${pathname === "/" ? "" : pathname}scratch-offline`; // as urls.mjs names what is kept
const AT_ONCE = 6; // files that are fetched side by side

const keyOf = (path) => `${root}${path}?${files.get(path)}`;
/** Where a server has a file: a folder's page goes by the folder's address. */
const addressOf = (path) => root + path.replace(/(^|\/)index\.html$/, "$1");

async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The cached response. Unlike `caches.open`, this creates no cache where unregister.js has just deleted it. */
const findCached = (request, options) => caches.match(request, { cacheName: storeName, ignoreVary: true, ...options });

/** Fetch a file of this version; throws where the server has no file with the digest in the list. */
async function fetchVersion(path) {
  for (const cache of ["default", "reload"]) {
    // the browser's own copy saves bytes, but may be of another version
    const response = await fetch(addressOf(path), { cache });
    const whole = response.clone();
    const bytes = await response.arrayBuffer();
    if ((await digestOf(bytes)) !== files.get(path)) continue;
    const isPlain = response.status === 200 && !response.redirected; // an unchanged response keeps the browser's compiled code
    const headers = { "content-type": response.headers.get("content-type") ?? "" };
    return isPlain ? whole : new Response(bytes, { headers });
  }
  throw new Error(`${path} is not the file of this version`);
}

/** Fetch a file into the cache unless it is there. */
async function cacheFile(store, path) {
  if (await store.match(keyOf(path), { ignoreVary: true })) return;
  await store.put(keyOf(path), await fetchVersion(path));
}

async function fill() {
  const store = await caches.open(storeName);
  const waiting = files.keys();
  const fetchOn = async () => {
    for (const path of waiting) await cacheFile(store, path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchOn));
}

async function isWhole() {
  const kept = new Set((await (await caches.open(storeName)).keys()).map((request) => request.url));
  return [...files.keys()].every((path) => kept.has(keyOf(path)));
}

/** Drop what older versions left; not while another tab may still be of one of them. */
async function sweep() {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tabs.length > 1) return;
  const store = await caches.open(storeName);
  const wanted = new Set([...files.keys()].map(keyOf));
  const old = (await store.keys()).filter((request) => !wanted.has(request.url));
  await Promise.all(old.map((request) => store.delete(request)));
}

// ---- answers

async function answer(request, path) {
  if (path === "sitemap.xml") return sitemap();
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (files.has(file)) return (await findCached(keyOf(file))) ?? fetchAgain(file);
  if (files.has(`${file}/index.html`)) return Response.redirect(`${root}${file}/${new URL(request.url).search}`);
  // A tab of the version before asks for its own files, whose names no other version has.
  const older = path.startsWith("assets/") && (await findCached(root + path, { ignoreSearch: true }));
  return older || fetch(request).catch(() => notFound(request));
}

/** Fetch a file that the browser has dropped. Where the whole cache is gone, unregister.js may have deleted it: keep it deleted. */
async function fetchAgain(path) {
  try {
    const response = await fetchVersion(path);
    if (await caches.has(storeName)) await (await caches.open(storeName)).put(keyOf(path), response.clone()).catch(() => {});
    return response;
  } catch {
    return Response.error();
  }
}

/** What a server would say to an address that the site has not. */
async function notFound(request) {
  if (request.mode !== "navigate") return Response.error();
  const page = await findCached(keyOf("404.html"));
  return new Response(await page?.blob(), { status: 404, headers: page?.headers });
}

/** The theme swaps only pages that stand here; a sitemap tells full addresses, so it is written where the site is. */
function sitemap() {
  const pages = [...files.keys()].filter((path) => /(^|\/)index\.html$/.test(path));
  const entries = pages.map((path) => `<url><loc>${addressOf(path)}</loc></url>`).join("\n");
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>`;
  return new Response(text, { headers: { "content-type": "application/xml" } });
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(sweep()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  const path = new URL(request.url).pathname.slice(pathname.length);
  event.respondWith(answer(request, path));
});

// A page asks whether all is kept, which mends what the browser has dropped; or, when its reader wants the new version,
// asks the worker that waits to take over.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data !== "is all kept?") return;
  const mended = isWhole().then(
    (whole) =>
      whole ||
      fill().then(
        () => true,
        () => false,
      ),
  );
  event.waitUntil(mended.then((whole) => event.ports[0]?.postMessage(whole)));
});
