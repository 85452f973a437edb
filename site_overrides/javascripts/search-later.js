// Stands before the search's own worker, which reads the whole index as soon as a page has loaded, on a phone at the
// expense of everything else. Here it waits a moment, while the page and its calculators start.
const PAUSE = 2000; // ms
const waiting = [];
const hold = (event) => {
  event.stopImmediatePropagation();
  waiting.push(event.data);
};
self.addEventListener("message", hold);
setTimeout(() => {
  self.removeEventListener("message", hold);
  importScripts(`javascripts/workers/${self.location.search.slice(1)}`);
  for (const data of waiting) self.dispatchEvent(new MessageEvent("message", { data }));
}, PAUSE);
