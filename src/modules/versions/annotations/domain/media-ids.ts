import { ID_WORDS, idAt, putId } from '../../../../common/engine/annotations/segment';
import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';

const EMPTY = -1;

/** The rows of a table version by the ids of their media: a hash table with linear probing. */
export class MediaIds {
  private readonly places: Int32Array;

  private constructor(private readonly words: Uint32Array) {
    const rows = words.length / ID_WORDS;
    this.places = new Int32Array(2 ** Math.ceil(Math.log2(2 * rows + 2))).fill(EMPTY);
  }

  static async of(words: Uint32Array): Promise<MediaIds> {
    const ids = new MediaIds(words);
    await inSlices(ids.rows, (start, end) => {
      for (let row = start; row < end; row++) ids.places[ids.placeOf(words, row)] = row;
    });
    return ids;
  }

  get rows(): number {
    return this.words.length / ID_WORDS;
  }

  get bytes(): number {
    return this.words.byteLength + this.places.byteLength;
  }

  /** The row of the id at a place in a list; -1 if the version has none. */
  rowOf(words: Uint32Array, at: number): number {
    return this.places[this.placeOf(words, at)]!;
  }

  /** The row of the medium that has a row in another version; -1 if this one does not have it. */
  rowOfSame(other: MediaIds, row: number): number {
    return this.rowOf(other.words, row);
  }

  idOf(row: number): string {
    return idAt(this.words, row);
  }

  /** Tells sets of media apart, whatever their order: sums of the parts of their ids. */
  async fingerprint(rows: OrdinalSet): Promise<string> {
    const sums = new Uint32Array(ID_WORDS);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++)
        if (rows.has(row))
          for (let word = 0; word < ID_WORDS; word++) sums[word]! += this.words[ID_WORDS * row + word]!;
    });
    return [rows.size, ...sums].join('-');
  }

  /** -1 if the version has none. */
  rowOfText(id: string): number {
    const words = new Uint32Array(ID_WORDS);
    putId(words, 0, id);
    return this.rowOf(words, 0);
  }

  private placeOf(words: Uint32Array, at: number): number {
    const [a, b, c, d] = [
      words[ID_WORDS * at]!,
      words[ID_WORDS * at + 1]!,
      words[ID_WORDS * at + 2]!,
      words[ID_WORDS * at + 3]!,
    ];
    const mask = this.places.length - 1;
    const hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b) ^ d, 0xc2b2ae35);
    let place = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const row = this.places[place]!;
      if (row === EMPTY) return place;
      const own = ID_WORDS * row;
      const { words: ids } = this;
      if (ids[own] === a && ids[own + 1] === b && ids[own + 2] === c && ids[own + 3] === d) return place;
      place = (place + 1) & mask;
    }
  }
}
