import { MediaRejected } from '../media-rejected';

const CLEAR = 256;
const END = 257;
const FIRST_STRING = 258;
const CODES = 4096;

export const tooLong = (): MediaRejected =>
  new MediaRejected('unreadable', 'A strip or tile of the TIFF holds more bytes than its header says.');

/** Expands the LZW of TIFF. Each string of the table is a place in the bytes that have been written. */
export function expandLzw(packed: Uint8Array, most: number): Uint8Array {
  const expanded = new Uint8Array(most);
  const starts = new Uint32Array(CODES);
  const lengths = new Uint16Array(CODES);
  let [next, bits, to, at, held, heldBits] = [FIRST_STRING, 9, 0, 0, 0, 0];
  let [lastStart, lastLength] = [0, 0];
  for (;;) {
    while (heldBits < bits && at < packed.length) {
      held = ((held << 8) | packed[at++]!) & 0xff_ffff;
      heldBits += 8;
    }
    if (heldBits < bits) break;
    const code = (held >>> (heldBits - bits)) & ((1 << bits) - 1);
    heldBits -= bits;
    if (code === END) break;
    if (code === CLEAR) {
      [next, bits, lastLength] = [FIRST_STRING, 9, 0];
      continue;
    }
    if (code > next || (code === next && lastLength === 0)) throw new Error('The LZW data is damaged');
    const isNew = code === next;
    const length = code < CLEAR ? 1 : isNew ? lastLength + 1 : lengths[code]!;
    if (to + length > most) throw tooLong();
    if (code < CLEAR) expanded[to] = code;
    else expanded.copyWithin(to, isNew ? lastStart : starts[code]!, (isNew ? lastStart : starts[code]!) + length);
    // A string that is not in the table yet is the last one and its own first byte.
    if (isNew) expanded[to + length - 1] = expanded[to]!;
    if (lastLength > 0 && next < CODES) {
      [starts[next], lengths[next]] = [lastStart, lastLength + 1];
      next += 1;
    }
    [lastStart, lastLength] = [to, length];
    to += length;
    if (next >= (1 << bits) - 1 && bits < 12) bits += 1;
  }
  return expanded.subarray(0, to);
}

export function expandPackBits(packed: Uint8Array, most: number): Uint8Array {
  const expanded = new Uint8Array(most);
  let to = 0;
  for (let at = 0; at < packed.length;) {
    const head = packed[at++]!;
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    if (to + count > most) throw tooLong();
    if (head < 128) expanded.set(packed.subarray(at, at + count), to);
    else expanded.fill(packed[at]!, to, to + count);
    to += count;
    at += head < 128 ? count : 1;
  }
  return expanded.subarray(0, to);
}
