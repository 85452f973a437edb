// Given to Node by used_functions.py before another script: of an interpreter whose functions have marks, those are held back
// from Pyodide, and when the script ends, the numbers of the functions that ran are written to the file MARKS (JSON).
// IMPORTED says how many functions the interpreter imports: a function's own number counts them first.
import { writeFileSync } from "node:fs";

const MARK = "ran ";
const marks = [];
const named = new Set();
// Of a type's record, in words: from what frees an object of it to what calls it; where its operators stand (of numbers, of
// sequences, of mappings) and how many; its lists, methods and attributes, and how long an entry is.
const [FIRST_SLOT, PAST_TYPE] = [6, 51];
const PROTOCOLS = [
  [12, 36],
  [13, 10],
  [14, 3],
];
const LISTS = [
  [29, 4],
  [31, 5],
];
const NAME = 3; // where a type's name is
const LIST = "list,__getitem__"; // how `list` begins: its name, and that of its first method
const LEAST = 2_000; // functions that records name
// The places of all types and built-in functions that are there now.
const PLACES = `
import sys
def every(kind):
    yield kind
    for each in type.__subclasses__(kind):
        yield from every(each)
held = [value for module in [*sys.modules.values()] for value in [*getattr(module, "__dict__", {}).values()]]
{"list": id(list), "types": [id(kind) for kind in {*every(object)}], "functions": [id(value) for value in held if type(value) is type(len)]}
`;
let table;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  const exported = Object.entries((made.instance ?? made).exports);
  const own = exported.filter(([name]) => name.startsWith(MARK));
  if (!own.length) return made;
  marks.push(...own);
  table = exported.map(([, each]) => each).find((each) => each instanceof WebAssembly.Table);
  const instance = { exports: Object.fromEntries(exported.slice(0, -own.length)) };
  return made.instance ? { module: made.module, instance } : instance;
};

/** Count as run all that the types of a Python name in their records: what visits, clears and frees their objects, which
 *  happens by chance, their operators and their methods; and its built-in functions. The records are CPython's. */
globalThis.markNamed = (python) => {
  const { list, types, functions } = python.runPython(PLACES).toJs({ dict_converter: Object.fromEntries });
  const words = python._module.HEAPU32;
  const mark = (word) => {
    const number = word < table.length ? Number(table.get(word)?.name) - process.env.IMPORTED : NaN;
    if (number >= 0) named.add(number);
  };
  // Another Python lays its records out otherwise: then `list` and its first method have other names, or few are found.
  const text = (place) => {
    const bytes = python._module.HEAPU8;
    return new TextDecoder().decode(bytes.slice(place, bytes.indexOf(0, place)));
  };
  const listed = [words[list / 4 + NAME], words[words[list / 4 + LISTS[0][0]] / 4]].map(text).join();
  if (listed !== LIST) throw new Error(`expected ${LIST} in the record of Python's list, got ${listed}`);
  const markAll = (place, count) => words.subarray(place / 4, place / 4 + count).forEach(mark);
  for (const type of types) {
    const record = words.subarray(type / 4, type / 4 + PAST_TYPE);
    record.subarray(FIRST_SLOT).forEach(mark);
    for (const [at, count] of PROTOCOLS) if (record[at]) markAll(record[at], count);
    for (const [at, length] of LISTS) {
      for (let entry = record[at]; entry && words[entry / 4]; entry += 4 * length) markAll(entry + 4, 2);
    }
  }
  for (const each of functions) mark(words[words[each / 4 + 2] / 4 + 1]);
  console.log(`${named.size} functions are named by types and built-in functions.`);
  if (named.size < LEAST) throw new Error(`expected ${LEAST} functions at least that types and functions name, got ${named.size}`);
};

process.on("exit", () => {
  const ran = marks.filter(([, mark]) => mark.value).map(([name]) => Number(name.slice(MARK.length)));
  writeFileSync(process.env.MARKS, JSON.stringify([...new Set([...ran, ...named])]));
});
