// Run by build.py under Node: writes each file in Zstandard.
// Arguments: the level, and pairs of a file and the compressed file to write.
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";

const WINDOW_LOG = 23; // 8 MB: with Content-Encoding a browser accepts no larger window
const [level, ...files] = process.argv.slice(2);
const params = {
  [constants.ZSTD_c_compressionLevel]: Number(level),
  [constants.ZSTD_c_windowLog]: WINDOW_LOG,
  [constants.ZSTD_c_checksumFlag]: 1,
};

async function compress(source, target) {
  const bytes = readFileSync(source);
  writeFileSync(target, await promisify(zstdCompress)(bytes, { params, pledgedSrcSize: bytes.length }));
}

await Promise.all(Array.from({ length: files.length / 2 }, (_, n) => compress(files[2 * n], files[2 * n + 1])));
