// Decompresses Zstandard with the WebAssembly of zstddec, whose file the build writes. zstddec's own script would fetch it from
// a data: URL, which the content security policy of the site forbids.

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const POINTER_BYTES = 4;
const BUFFER_BYTES = 3 * POINTER_BYTES; // a buffer of zstd has three fields: address, size, position
const CHUNKS_AHEAD = 1000; // chunks that may wait for the decoder

/**
 * The functions of zstddec's WebAssembly.
 * @typedef {object} Decoder
 * @property {WebAssembly.Memory} memory
 * @property {(size: number) => number} malloc 0 if there is no room
 * @property {(pointer: number) => void} free
 * @property {() => number} ZSTD_createDCtx
 * @property {(context: number) => void} ZSTD_freeDCtx
 * @property {() => number} ZSTD_DStreamOutSize
 * @property {(context: number, output: number, input: number) => number} ZSTD_decompressStream 0 at the end of the data, negative
 *   if they are damaged
 */

/** @param {ArrayBuffer} wasm
 *  @returns {Promise<Decoder>} */
export async function createDecoder(wasm) {
  const { instance } = await WebAssembly.instantiate(wasm, { env: { emscripten_notify_memory_growth() {} } });
  return /** @type {any} */ (instance.exports);
}

/** Create a stream that decompresses Zstandard. Anything else passes unchanged: with a Content-Encoding header the browser has
 *  decompressed it. The stream fails if the data are damaged or incomplete.
 *  @param {Promise<Decoder>} decoder the chunks wait for it
 *  @returns {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
export function createDecompressionStream(decoder) {
  /** @type {ReturnType<typeof createDecompression> | null} */
  let decompression = null;
  let isPlain = false;
  /** @type {Transformer<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  const transformer = {
    async transform(chunk, controller) {
      if (!decompression && !isPlain) {
        isPlain = !chunk.subarray(0, MAGIC.length).every((byte, index) => byte === MAGIC[index]);
        decompression = isPlain ? null : createDecompression(await decoder);
      }
      if (decompression) decompression.decompress(chunk, (bytes) => controller.enqueue(bytes));
      else controller.enqueue(chunk);
    },
    flush: () => decompression?.finish(),
  };
  return new TransformStream(transformer, new CountQueuingStrategy({ highWaterMark: CHUNKS_AHEAD }));
}

/** Start to decompress one file.
 *  @param {Decoder} zstd */
function createDecompression(zstd) {
  const context = zstd.ZSTD_createDCtx();
  const outputSize = zstd.ZSTD_DStreamOutSize();
  const [output, outputBuffer, inputBuffer] = [outputSize, BUFFER_BYTES, BUFFER_BYTES].map((size) => allocate(zstd, size));
  let rest = 1; // 0 at the end of the data
  let isFreed = false;
  /** @param {number} buffer
   *  @param {number} address
   *  @param {number} size */
  const setBuffer = (buffer, address, size) => new Uint32Array(zstd.memory.buffer, buffer, 3).set([address, size, 0]);
  /** @param {number} buffer */
  const positionOf = (buffer) => new Uint32Array(zstd.memory.buffer, buffer, 3)[2];

  function free() {
    if (isFreed) return;
    isFreed = true;
    for (const pointer of [output, outputBuffer, inputBuffer]) zstd.free(pointer);
    zstd.ZSTD_freeDCtx(context);
  }

  return {
    /** @param {Uint8Array} chunk
     *  @param {(bytes: Uint8Array<ArrayBuffer>) => void} emit */
    decompress(chunk, emit) {
      const input = allocate(zstd, chunk.length);
      try {
        new Uint8Array(zstd.memory.buffer).set(chunk, input);
        setBuffer(inputBuffer, input, chunk.length);
        do {
          setBuffer(outputBuffer, output, outputSize);
          rest = zstd.ZSTD_decompressStream(context, outputBuffer, inputBuffer);
          if (rest < 0) throw new Error("damaged Zstandard");
          emit(new Uint8Array(zstd.memory.buffer).slice(output, output + positionOf(outputBuffer)));
        } while (positionOf(inputBuffer) < chunk.length || (rest !== 0 && positionOf(outputBuffer) === outputSize));
      } catch (error) {
        free();
        throw error;
      } finally {
        zstd.free(input);
      }
    },

    finish() {
      free();
      if (rest !== 0) throw new Error("incomplete Zstandard");
    },
  };
}

/** Allocate memory of the decoder. Throws an Error if there is no room.
 *  @param {Decoder} zstd
 *  @param {number} size in bytes
 *  @returns {number} its address */
function allocate(zstd, size) {
  const address = zstd.malloc(size);
  if (!address) throw new Error("no memory for Zstandard");
  return address;
}
