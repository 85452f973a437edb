"""Whether a memory of Python's that a browser has kept is whole: said once more, beside the worker that writes it."""

IS_WHOLE = """((bytes) => {
  if (bytes.length <= 8 || bytes.length % 4) return false;
  const words = new Uint32Array(bytes.slice().buffer);
  let [mixed, sum] = [0, 0];
  for (let at = 0; at < words.length - 2; at += 1) {
    mixed = Math.imul(((mixed << 5) | (mixed >>> 27)) ^ words[at], 0x9e3779b1) >>> 0;
    sum = (sum + mixed) >>> 0;
  }
  return mixed === words.at(-2) && sum === words.at(-1);
})"""
"""A function of JavaScript: its two sums, which are written last, stand behind the memory's words."""
