// Given to Node by functions.py before another script: of an interpreter whose functions have marks, those are held back
// from Pyodide, and when the script ends, the numbers of the functions that ran are written to the file MARKS (JSON).
import { writeFileSync } from "node:fs";

const MARK = "ran ";
const marks = [];
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const exported = Object.entries((made.instance ?? made).exports);
  const own = exported.filter(([name]) => name.startsWith(MARK));
  if (!own.length) return made;
  marks.push(...own);
  const instance = { exports: Object.fromEntries(exported.slice(0, -own.length)) };
  return made.instance ? { module: made.module, instance } : instance;
};

process.on("exit", () => {
  const ran = marks.filter(([, mark]) => mark.value).map(([name]) => Number(name.slice(MARK.length)));
  writeFileSync(process.env.MARKS, JSON.stringify(ran));
});
