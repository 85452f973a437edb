// Print what the scripts of the site store: the names under which they do, and the keys of what lies there.
const names = new Set();
const texts = new Map();
const stored = (name) => names.add(`stored: ${name}`);
const request = (result) => {
  const made = { result };
  queueMicrotask(() => {
    made.onupgradeneeded?.();
    made.onsuccess?.();
  });
  return made;
};
const store = { put() {}, transaction: {} };

globalThis.window = { top: { location: { origin: "x" } } };
globalThis.location = { origin: "x" };
globalThis.localStorage = new Proxy(
  {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  },
  { ownKeys: () => [...texts.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
);
globalThis.indexedDB = {
  open(name, version) {
    stored(`database ${stripSitePathOfStorageKey(name)}, version ${version}`);
    return request({
      createObjectStore: (name) => stored(`object store ${name}`),
      transaction() {
        const made = { objectStore: () => store };
        queueMicrotask(() => queueMicrotask(() => made.oncomplete()));
        return made;
      },
    });
  },
};

const scripts = "../../site_overrides/javascripts";
const { SavedEntries, buildExportFile, getLastWriteDurability, saveCampaign } = await import(`${scripts}/saved/store.mjs`);
const { stripSitePathOfStorageKey } = await import(`${scripts}/shared/urls.mjs`);

for (const version of ["character/1", "fight/1", "house/1"]) {
  const { id } = new SavedEntries(version).addAndMirror({ query: "a=1" });
  for (const [name, text] of texts) {
    stored(stripSitePathOfStorageKey(name).replace(id, "*"));
    for (const key of Object.keys(JSON.parse(text))) stored(`${stripSitePathOfStorageKey(name).replace(id, "*")} ${key}`);
  }
  new SavedEntries(version).moveToQuarantine(id);
  for (const name of texts.keys()) stored(stripSitePathOfStorageKey(name).replace(/-aside-.*/, "-aside-*"));
  texts.clear();
}
saveCampaign({ name: "a", notes: "b" });
for (const [name, text] of texts) for (const key of Object.keys(JSON.parse(text))) stored(`${stripSitePathOfStorageKey(name)} ${key}`);
texts.clear();
await getLastWriteDurability();

new SavedEntries("fight/1").addAndMirror({ query: "a=1" });
const file = JSON.parse(buildExportFile());
for (const key of Object.keys(file)) names.add(`file of ${file.format}: ${key}`);
for (const key of Object.keys(file.entries[0])) names.add(`file of ${file.format}: entries[].${key}`);
await getLastWriteDurability();
console.log([...names].join("\n"));
