import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { MediaKeys, type RowDigests } from '../../../common/engine/media-table/row-digests';

const WORDS = 2;

/** Compares two tables row by row: add all rows of the earlier table, then all rows of the later one. */
export class TableComparison {
  /** Rows of the later table. */
  readonly added: OrdinalSet;
  readonly labels: OrdinalSet;
  readonly captions: OrdinalSet;
  /** Rows of the earlier table. */
  readonly removed: OrdinalSet;
  /** The ordinal in the later table of each row of the earlier one; -1 if removed. */
  readonly places: Int32Array;
  private readonly keys: MediaKeys;
  private readonly labelsBefore: Uint32Array;
  private readonly captionsBefore: Uint32Array;

  constructor(rowsBefore: number, rowsAfter: number) {
    this.added = OrdinalSet.none(rowsAfter);
    this.labels = OrdinalSet.none(rowsAfter);
    this.captions = OrdinalSet.none(rowsAfter);
    this.removed = OrdinalSet.all(rowsBefore);
    this.places = new Int32Array(rowsBefore).fill(-1);
    this.keys = new MediaKeys(rowsBefore);
    this.labelsBefore = new Uint32Array(rowsBefore * WORDS);
    this.captionsBefore = new Uint32Array(rowsBefore * WORDS);
  }

  addBefore({ first, count, keys, labels, captions }: RowDigests): void {
    this.labelsBefore.set(labels, first * WORDS);
    this.captionsBefore.set(captions, first * WORDS);
    for (let i = 0; i < count; i++) this.keys.set(first + i, keys, i * 4);
  }

  addAfter({ first, count, keys, labels, captions }: RowDigests): void {
    for (let i = 0; i < count; i++) {
      const before = this.keys.find(keys, i * 4);
      if (before < 0) {
        this.added.add(first + i);
        continue;
      }
      this.removed.delete(before);
      this.places[before] = first + i;
      if (differ(this.labelsBefore, before, labels, i)) this.labels.add(first + i);
      if (differ(this.captionsBefore, before, captions, i)) this.captions.add(first + i);
    }
  }
}

const differ = (before: Uint32Array, row: number, after: Uint32Array, i: number): boolean =>
  before[row * WORDS] !== after[i * WORDS] || before[row * WORDS + 1] !== after[i * WORDS + 1];
