// The page of the stock side: ask for a roll at once, and note when its total stands in the page. The roll is what the
// bench says, or what the address does.
const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
const root = new URL("../../", import.meta.url).href;

worker.addEventListener("message", ({ data }) => {
  const answer = document.querySelector("#answer");
  if (data.error) answer.textContent = window.failure = data.error;
  else answer.innerHTML = JSON.parse(data.result).html;
  if (answer.querySelector("[data-total]")) window.firstRoll ??= performance.now();
});
window.clicked = performance.now();
worker.postMessage(JSON.stringify({ name: "dice", query: window.benchQuery ?? location.search.slice(1), ask: true, uid: "c1", root }));
