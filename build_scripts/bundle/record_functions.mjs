// Loaded by Node before another script, for used_functions.py: hides the marks of an interpreter's functions from Pyodide, and
// writes the numbers of the functions that ran to the file MARKS (JSON) when the script ends. IMPORTED is the number of
// functions that the interpreter imports: a function's own number counts them first.
import { writeFileSync } from "node:fs";

const MARK = "ran ";
const marks = [];
const named = new Set();
// Positions in a type's record, in words: its slots from deallocation to call; its tables of operators (of numbers,
// sequences and mappings) with their lengths; its lists of methods and attributes, with the length of an entry.
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
const NAME = 3; // the position of a type's name
const LIST = "list,__getitem__"; // how `list` begins: its name, and that of its first method
const LEAST = 2_000; // functions that records refer to
// The addresses of all current types and built-in functions.
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

/** Mark all functions in the records of a Python's types as run, and its built-in functions: those that visit, clear and free
 *  objects, which run at random times, operators and methods. The records are CPython's. */
globalThis.markNamed = (python) => {
  const { list, types, functions } = python.runPython(PLACES).toJs({ dict_converter: Object.fromEntries });
  const words = python._module.HEAPU32;
  const mark = (word) => {
    const number = word < table.length ? Number(table.get(word)?.name) - process.env.IMPORTED : NaN;
    if (number >= 0) named.add(number);
  };
  // Another version of Python may have another layout: then `list` and its first method have other names, or few are found.
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
