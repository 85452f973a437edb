// The page with a stock Pyodide: requests a roll at once, and records when the total is in the page. The benchmark or the
// URL gives the roll.
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
