// The decompression of Zstandard, with the decoder of the site.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";

const { createDecoder, createDecompressionStream } = await import("../../site_overrides/javascripts/engine/zstandard.mjs");
const script = readFileSync(fileURLToPath(import.meta.resolve("zstddec/stream")), "utf8");
const decoder = createDecoder(Buffer.from(script.match(/wasm = "([^"]+)"/)[1], "base64"));
const compress = (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
const text = Uint8Array.from({ length: 2 ** 19 }, (_, n) => (n * n) >> 7); // a multiple of the size of the output

/** Decompress bytes that arrive in chunks of this size.
 *  @returns {Promise<Buffer>} */
async function decompress(bytes, chunkSize = 2 ** 16) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, n) => bytes.subarray(n * chunkSize, (n + 1) * chunkSize));
  const stream = ReadableStream.from(chunks).pipeThrough(createDecompressionStream(decoder));
  return Buffer.from(await new Response(stream).arrayBuffer());
}

test("the decompression stream decompresses chunks of any size, and passes other files unchanged", async () => {
  for (const chunkSize of [7, 1000, 2 ** 20]) assert.ok((await decompress(compress(text), chunkSize)).equals(text));
  assert.ok((await decompress(text)).equals(text));
  assert.equal((await decompress(new Uint8Array(0))).length, 0);
});

test("the decompression stream fails if the data are damaged, incomplete or followed by others", async () => {
  const compressed = compress(text);
  const damaged = compressed.with(compressed.length - 2, compressed.at(-2) ^ 1);
  await assert.rejects(decompress(damaged), /damaged Zstandard/);
  await assert.rejects(decompress(compressed.subarray(0, -1)), /incomplete Zstandard/);
  await assert.rejects(decompress(Buffer.concat([compressed, text.subarray(0, 100)])), /damaged Zstandard/);
});
