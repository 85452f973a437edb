// Print the hits of a built site's search: `node search_quality.mjs SITE`, with questions as a JSON list on standard input.
//
// The worker is the site's own, so the hits and their order are those of a browser. Material lists each page with its
// best section, and folds the others.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const site = process.argv[2];
const isZensical = readdirSync(site).includes("search.json");
const index = JSON.parse(readFileSync(join(site, isZensical ? "search.json" : "search/search_index.json"), "utf8"));
const workers = join(site, "assets/javascripts/workers");
const worker = join(
  workers,
  readdirSync(workers).find((name) => /^search.*\.js$/.test(name)),
);

let answered;
Object.assign(globalThis, {
  self: globalThis,
  postMessage: (message) => answered(message),
  addEventListener: (_, listener) => (globalThis.onmessage = listener),
});
new Function(readFileSync(worker, "utf8"))();

const ask = (type, data) =>
  new Promise((done) => {
    answered = done;
    globalThis.onmessage({ data: { type, data } });
  });

function shown(hits) {
  const [best] = hits;
  const page = hits.find(({ location }) => !location.includes("#"));
  const level = hits.filter((hit) => hit !== page && hit.score >= best.score);
  return level.length ? level.map(({ location }) => location) : [page.location];
}

const FILTER = {
  input: { type: "operator", data: { operator: "and", operands: [] } },
  aggregation: { input: [{ type: "term", data: { field: "tags" } }] },
};

async function found(question) {
  if (isZensical) {
    const { data } = await ask(2, { input: question, filter: structuredClone(FILTER) });
    return data.items.map(({ id }) => index.items[id].location);
  }
  const { data } = await ask(2, question);
  return data.items.flatMap(shown);
}

await ask(0, isZensical ? index : { ...index, options: { suggest: false } });
const answers = {};
for (const question of JSON.parse(readFileSync(0, "utf8"))) answers[question] = await found(question);
console.log(JSON.stringify(answers));
