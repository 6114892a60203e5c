/** Binary messages, version 1; the layout is written down in `attnflow/interfaces/explore/frames.py`. */

export interface Knot {
  t: number;
  x: Float32Array;
  v: Float32Array | null;
  n: number;
  d: number;
  isSphere: boolean;
}

export interface Weights {
  t: number;
  size: number;
  heads: number;
  values: Float32Array;
}

const HEAD = 32;
const HAS_VELOCITY = 1;
const IS_SPHERE = 2;

function head(view: DataView): string {
  return String.fromCharCode(view.getUint8(0), view.getUint8(1), view.getUint8(2), view.getUint8(3));
}

export function readKnot(data: ArrayBuffer, offset = 0): Knot {
  const view = new DataView(data, offset);
  if (head(view) !== "AFK1") throw new Error("not a knot of version 1");
  const n = view.getUint32(12, true);
  const flags = view.getUint16(18, true);
  const start = offset + HEAD;
  return {
    t: view.getFloat64(20, true),
    n,
    d: view.getUint16(16, true),
    x: new Float32Array(data.slice(start, start + 12 * n)),
    v: flags & HAS_VELOCITY ? new Float32Array(data.slice(start + 12 * n, start + 24 * n)) : null,
    isSphere: (flags & IS_SPHERE) !== 0,
  };
}

export function readWeights(data: ArrayBuffer, offset = 0): Weights {
  const view = new DataView(data, offset);
  if (head(view) !== "AFM1") throw new Error("not a matrix of version 1");
  const size = view.getUint32(12, true);
  const start = offset + HEAD;
  return {
    t: view.getFloat64(20, true),
    size,
    heads: view.getUint16(16, true),
    values: new Float32Array(data.slice(start, start + 4 * size * size)),
  };
}

/** Words and a buffer in one message: length of the words, the words, the buffer. */
export function unframed(message: ArrayBuffer): [any, ArrayBuffer] {
  const size = new DataView(message).getUint32(0, true);
  const words = new TextDecoder().decode(new Uint8Array(message, 4, size));
  return [JSON.parse(words), message.slice(4 + size)];
}

export function framed(words: unknown, data: ArrayBuffer): ArrayBuffer {
  const head = new TextEncoder().encode(JSON.stringify(words));
  const out = new Uint8Array(4 + head.length + data.byteLength);
  new DataView(out.buffer).setUint32(0, head.length, true);
  out.set(head, 4);
  out.set(new Uint8Array(data), 4 + head.length);
  return out.buffer;
}
