import { findDistinctItems, type DistinctItems } from '../distinct-items';
import type { AddedRows } from './known-neighbours';
import type { NearLists } from './near-lists';
import type { AddedItems } from './placement';
import { sharedFloat32 } from '../../arithmetic/shared-arrays';
import { TWIN, type SimilarityInput } from '../similarity-structure';

const NONE = -1;

/** Separates new items that repeat a known one from the fresh ones: only fresh items are searched for and clustered. */
export class FreshItems {
  /** For each item, the known item that it repeats; -1 for fresh items. */
  readonly twin: Int32Array;
  /** For each fresh item, its index among the fresh ones; -1 for the others. */
  readonly number: Int32Array;
  /** The fresh items, ascending. */
  item = new Int32Array(0);
  /** For each row of the search, the first item that it stands for. */
  readonly firstOf: number[] = [];
  /** For each distinct item, its row in the search; -1 if it is not searched for. */
  private readonly rowOf: Int32Array;

  private constructor(
    readonly added: AddedItems,
    private readonly dimension: number,
    private readonly distinct: DistinctItems,
  ) {
    this.twin = Int32Array.from(added.knownCopy);
    this.number = new Int32Array(added.count).fill(NONE);
    this.rowOf = new Int32Array(distinct.count).fill(NONE);
  }

  static among(added: AddedItems, dimension: number): FreshItems {
    const fresh = new FreshItems(added, dimension, findDistinctItems(added.vectors, added.contentGroup, dimension));
    fresh.spreadTwins();
    fresh.distinct.item.forEach((item, distinct) => {
      if (fresh.twin[item] === NONE) fresh.rowOf[distinct] = fresh.firstOf.push(item) - 1;
    });
    return fresh;
  }

  /** The rows to search for among known items. The last one is the reference of uniqueness, which is not searched for in reverse. */
  rows(measure: Float32Array | null): Omit<AddedRows, 'least'> {
    const { dimension, firstOf } = this;
    const count = firstOf.length + (measure === null ? 0 : 1);
    const vectors = sharedFloat32(count * dimension);
    firstOf.forEach((item, row) => vectors.set(this.vector(item), row * dimension));
    if (measure !== null) vectors.set(measure, firstOf.length * dimension);
    return { vectors, count, naming: firstOf.length };
  }

  get measureRow(): number {
    return this.firstOf.length;
  }

  /** The row that represents an item in the search. */
  row(item: number): number {
    return this.rowOf[this.distinct.distinctOf[item]!]!;
  }

  /** Items whose vector equals that of a known item are not fresh either. */
  settleTwins({ keys, scores, length }: NearLists): void {
    for (let item = 0; item < this.added.count; item++) {
      const row = this.row(item);
      if (row !== NONE && scores[row * length] === TWIN) this.twin[item] = keys[row * length]!;
    }
    const fresh: number[] = [];
    for (let item = 0; item < this.added.count; item++) {
      if (this.twin[item] !== NONE) continue;
      this.number[item] = fresh.length;
      fresh.push(item);
    }
    this.item = Int32Array.from(fresh);
  }

  /** The fresh items, to be compared with each other. */
  items(): Pick<SimilarityInput, 'count' | 'vectors' | 'contentGroup'> {
    const { item, added, dimension } = this;
    const contentGroup = item.map((at) => added.contentGroup[at]!);
    if (item.length === added.count) return { count: added.count, vectors: added.vectors, contentGroup };
    const vectors = sharedFloat32(item.length * dimension);
    item.forEach((at, number) => vectors.set(this.vector(at), number * dimension));
    return { count: item.length, vectors, contentGroup };
  }

  private vector(item: number): Float32Array {
    return this.added.vectors.subarray(item * this.dimension, (item + 1) * this.dimension);
  }

  /** Items that repeat one with a known twin have the same twin. */
  private spreadTwins(): void {
    const { distinctOf, count } = this.distinct;
    const twins = new Int32Array(count).fill(NONE);
    distinctOf.forEach((distinct, item) => {
      const twin = this.twin[item]!;
      if (twin !== NONE && (twins[distinct] === NONE || twin < twins[distinct]!)) twins[distinct] = twin;
    });
    distinctOf.forEach((distinct, item) => {
      if (this.twin[item] === NONE) this.twin[item] = twins[distinct]!;
    });
  }
}
