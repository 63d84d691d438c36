// SPDX-License-Identifier: Apache-2.0
// Inverse of pack.py: base64, inflate, bytes by significance, zigzag coded differences in time.

async function inflated(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Quantized values [states, components, items]. */
async function unpacked(id, packed, states, items) {
  const bytes = await inflated(id);
  const row = packed.components * items;
  const count = states * row;
  const wide = packed.bits === 16;
  const out = wide ? new Uint16Array(count) : new Uint8Array(count);
  for (let k = 0; k < count; ++k) {
    const coded = wide ? bytes[k] | (bytes[count + k] << 8) : bytes[k];
    const change = (coded >>> 1) ^ -(coded & 1);
    out[k] = (k >= row ? out[k - row] : 0) + change;
  }
  return out;
}

/** A constant array. */
async function unpackedArray(id, Kind) {
  const bytes = await inflated(id);
  return new Kind(bytes.buffer, 0, bytes.byteLength / Kind.BYTES_PER_ELEMENT);
}
