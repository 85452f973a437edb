// Run by join_assets.py under Node: removes the rules of stylesheets for classes, ids and attributes that no file contains.
// Arguments: a directory of files that may contain them, further ones, `--`, and the stylesheets, which are rewritten.
import { writeFileSync } from "node:fs";
import { PurgeCSS } from "purgecss";

const words = process.argv.slice(2);
const separator = words.indexOf("--");
const content = words.slice(0, separator).map((folder) => `${folder}/**/*.{html,js,mjs,py}`);
const results = await new PurgeCSS().purge({ content, css: words.slice(separator + 1) });
for (const { css, file } of results) writeFileSync(file, css);
