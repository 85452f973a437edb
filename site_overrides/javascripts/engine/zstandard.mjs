// Decompresses Zstandard with the WebAssembly of zstddec, whose file the build writes. zstddec's own script would fetch it from
// a data: URL, which the content security policy of the site forbids.

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * The functions of zstddec's WebAssembly.
 * @typedef {object} Decoder
 * @property {WebAssembly.Memory} memory
 * @property {(size: number) => number} malloc 0 if there is no room
 * @property {(pointer: number) => void} free
 * @property {(input: number, inputSize: number) => bigint} ZSTD_findDecompressedSize negative if the data are incomplete
 * @property {(output: number, outputSize: number, input: number, inputSize: number) => number} ZSTD_decompress
 */

/** @param {ArrayBuffer} wasm
 *  @returns {Promise<Decoder>} */
export async function createDecoder(wasm) {
  const { instance } = await WebAssembly.instantiate(wasm, { env: { emscripten_notify_memory_growth() {} } });
  return /** @type {any} */ (instance.exports);
}

/** Decompress Zstandard. Anything else is returned unchanged: with a Content-Encoding header the browser has decompressed it.
 *  Throws an error if the data are damaged or incomplete.
 *  @param {Uint8Array<ArrayBuffer>} data
 *  @param {Decoder} zstd
 *  @returns {Uint8Array<ArrayBuffer>} */
export function decompress(data, zstd) {
  if (!MAGIC.every((byte, index) => data[index] === byte)) return data;
  const input = zstd.malloc(data.length);
  new Uint8Array(zstd.memory.buffer).set(data, input);
  const size = Number(zstd.ZSTD_findDecompressedSize(input, data.length));
  const output = size > 0 ? zstd.malloc(size) : 0;
  const isWhole = output !== 0 && zstd.ZSTD_decompress(output, size, input, data.length) === size;
  const decompressed = isWhole ? new Uint8Array(zstd.memory.buffer).slice(output, output + size) : null;
  zstd.free(input);
  zstd.free(output);
  if (!decompressed) throw new Error("damaged or incomplete Zstandard");
  return decompressed;
}
