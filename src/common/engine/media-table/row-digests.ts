import { setImmediate } from 'node:timers/promises';
import type { Data, RecordBatch } from 'apache-arrow';
import { idAt } from '../annotations/segment';
import { columnAt, findColumn } from './column-data';
import type { MediaTable } from './media-table';

const WORDS = 4;

/** A map from 128-bit ids to rows: 24 to 32 bytes per row. */
export class MediaKeys {
  private readonly keys: Uint32Array;
  private readonly slots: Int32Array;
  private readonly mask: number;

  constructor(rows: number) {
    this.keys = new Uint32Array(rows * WORDS);
    const slots = 2 ** Math.ceil(Math.log2(Math.max(2, rows * 1.5)));
    this.slots = new Int32Array(slots).fill(-1);
    this.mask = slots - 1;
  }

  set(row: number, keys: Uint32Array, at: number): void {
    for (let word = 0; word < WORDS; word++) this.keys[row * WORDS + word] = keys[at + word]!;
    let slot = this.slotOf(keys, at);
    while (this.slots[slot]! >= 0) slot = (slot + 1) & this.mask;
    this.slots[slot] = row;
  }

  /** Returns -1 if no row has the key. */
  find(keys: Uint32Array, at: number): number {
    for (let slot = this.slotOf(keys, at); ; slot = (slot + 1) & this.mask) {
      const row = this.slots[slot]!;
      if (row < 0 || this.isAt(row, keys, at)) return row;
    }
  }

  private isAt(row: number, keys: Uint32Array, at: number): boolean {
    const start = row * WORDS;
    return (
      this.keys[start] === keys[at] &&
      this.keys[start + 1] === keys[at + 1] &&
      this.keys[start + 2] === keys[at + 2] &&
      this.keys[start + 3] === keys[at + 3]
    );
  }

  private slotOf(keys: Uint32Array, at: number): number {
    let bits = keys[at]! ^ keys[at + 3]! ^ Math.imul(keys[at + 1]! ^ keys[at + 2]!, 0x9e3779b1);
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
    return (bits ^ (bits >>> 13)) & this.mask;
  }
}

/** Digests of some rows, for finding them in another table and detecting differences. */
export interface RowDigests {
  /** The ordinal of the first row. */
  readonly first: number;
  readonly count: number;
  /** Four words per row: the 128 bits of its id. */
  readonly keys: Uint32Array;
  /** Two words per row, independent of the order of labels. */
  readonly labels: Uint32Array;
  /** Two words per row, for the caption by a person and the one by a model. */
  readonly captions: Uint32Array;
}

const CAPTIONS = ['caption', 'generated_caption'] as const;
const KEY_WORDS = 4;
const DIGEST_WORDS = 2;

/** Small enough not to block the event loop. */
const BATCH_ROWS = 8_192;

const HEX = new Int8Array(128).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Yields digests in table order. No strings are created, so a million rows take a second or two. */
export async function* readDigests(table: MediaTable): AsyncGenerator<RowDigests> {
  let first = 0;
  for await (const batch of table.scan(['id', 'labels', ...CAPTIONS], { batchRows: BATCH_ROWS })) {
    const count = batch.numRows;
    const keys = keysOf(columnAt(batch, 'id'), count);
    const labels = labelsOf(columnAt(batch, 'labels'), count);
    await bringUpToDate(table, first, keys, labels);
    yield {
      first,
      count,
      keys,
      labels,
      captions: captionsOf(batch),
    };
    first += count;
    await setImmediate();
  }
}

/** Sets the digests of rows whose labels are not those of the table any more. */
async function bringUpToDate(table: MediaTable, first: number, keys: Uint32Array, labels: Uint32Array): Promise<void> {
  const { laterLabels } = table;
  if (laterLabels === undefined) return;
  const rows = Array.from({ length: keys.length / KEY_WORDS }, (_, row) => row);
  const changed = rows.filter((row) => laterLabels.of(idAt(keys, row)) !== undefined);
  const read = await table.takeRows(
    changed.map((row) => first + row),
    ['labels'],
  );
  changed.forEach((row, at) => {
    labels.fill(0, row * DIGEST_WORDS, (row + 1) * DIGEST_WORDS);
    for (const label of read[at]!.labels) {
      const bytes = Buffer.from(label);
      addDigest(labels, row * DIGEST_WORDS, { bytes, start: 0, end: bytes.length, kind: 0 });
    }
  });
}

/** Yields the ids of a column, four words each, in table order. */
export async function* readKeys(
  table: MediaTable,
  column: 'id' | 'parent_id',
  filter?: string,
): AsyncGenerator<{ readonly count: number; readonly keys: Uint32Array }> {
  const options = { batchRows: BATCH_ROWS, ...(filter === undefined ? {} : { filter }) };
  for await (const batch of table.scan([column], options)) {
    yield { count: batch.numRows, keys: keysOf(columnAt(batch, column), batch.numRows) };
    await setImmediate();
  }
}

function keysOf(column: Data, count: number): Uint32Array {
  const bytes = column.values as Uint8Array;
  const bounds = column.valueOffsets as Int32Array;
  const keys = new Uint32Array(count * KEY_WORDS);
  for (let row = 0; row < count; row++) {
    let digits = 0;
    for (let at = bounds[row]!; at < bounds[row + 1]!; at++) {
      const digit = HEX[bytes[at]!]!;
      if (digit < 0) continue;
      const word = row * KEY_WORDS + (digits++ >>> 3);
      keys[word] = (keys[word]! << 4) | digit;
    }
    if (digits !== 32) throw new Error(`The id of row ${row} of a batch is no UUID`);
  }
  return keys;
}

/** Tables of earlier versions have no column for generated captions. */
function captionsOf(batch: RecordBatch): Uint32Array {
  const digests = new Uint32Array(batch.numRows * DIGEST_WORDS);
  CAPTIONS.forEach((name, kind) => {
    const column = findColumn(batch, name);
    if (column === undefined) return;
    const bytes = column.values as Uint8Array;
    const bounds = column.valueOffsets as Int32Array;
    for (let row = 0; row < batch.numRows; row++) {
      if (column.nullCount === 0 || column.getValid(row))
        addDigest(digests, row * DIGEST_WORDS, { bytes, start: bounds[row]!, end: bounds[row + 1]!, kind });
    }
  });
  return digests;
}

function labelsOf(column: Data, count: number): Uint32Array {
  const lists = column.valueOffsets as Int32Array;
  const items = column.children[0]!;
  const bytes = items.values as Uint8Array;
  const bounds = items.valueOffsets as Int32Array;
  const digests = new Uint32Array(count * DIGEST_WORDS);
  for (let row = 0; row < count; row++) {
    for (let item = lists[row]!; item < lists[row + 1]!; item++)
      addDigest(digests, row * DIGEST_WORDS, { bytes, start: bounds[item]!, end: bounds[item + 1]!, kind: 0 });
  }
  return digests;
}

interface DigestedText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** The same text of another kind has a different digest. */
  readonly kind: number;
}

/** Digests are summed, so that the order of labels does not matter. 0 means no text, and is never the digest of a text. */
function addDigest(digests: Uint32Array, at: number, { bytes, start, end, kind }: DigestedText): void {
  let one = 0x811c9dc5 + kind;
  let other = 0x9747b28c + kind;
  for (let i = start; i < end; i++) {
    one = Math.imul(one ^ bytes[i]!, 0x01000193);
    other = Math.imul(other ^ bytes[i]!, 0x5bd1e995);
    other ^= other >>> 13;
  }
  digests[at] = digests[at]! + mixed(one ^ (end - start));
  digests[at + 1] = digests[at + 1]! + mixed(other);
}

function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
