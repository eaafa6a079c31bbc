/** Lance identifies a row by its fragment and offset, in one 64-bit number; this program uses its ordinal in the table. */
interface Fragment {
  readonly firstOrdinal: number;
  readonly count: number;
  /** The offsets of the remaining rows in ascending order; undefined if none was removed. */
  readonly places?: Uint32Array;
}

/** Built from the row ids of one table version in scan order; converts a row id to an ordinal. */
export class RowAddresses {
  private readonly fragments = new Map<number, Fragment>();
  readonly rows: number;

  constructor(rowIds: BigUint64Array) {
    const halves = halvesOf(rowIds);
    this.rows = rowIds.length;
    let start = 0;
    while (start < this.rows) {
      const fragment = halves[2 * start + 1]!;
      let end = start;
      while (end < this.rows && halves[2 * end + 1] === fragment) end++;
      if (this.fragments.has(fragment)) throw new Error('The rows of a fragment are not contiguous');
      this.fragments.set(fragment, describe(halves, start, end));
      start = end;
    }
  }

  /**
   * Names the first rows: if another version of the table has the same name for as many rows, they are the same. Fragments never change, and the number
   * of a removed fragment is not reused.
   */
  nameOf(rows: number): string {
    if (rows === 0) return 'none';
    const last = rows - 1;
    for (const [id, { firstOrdinal, count, places }] of this.fragments) {
      const at = last - firstOrdinal;
      if (at >= 0 && at < count) return `${id}.${places?.[at] ?? at}`;
    }
    throw new RangeError(`There are no ${rows} rows`);
  }

  /** The row ids of ascending ordinals. */
  idsOf(ordinals: Int32Array): bigint[] {
    const ids: bigint[] = [];
    const fragments = this.fragments.entries();
    let { id, end, fragment } = { id: 0n, end: 0, fragment: undefined as Fragment | undefined };
    for (const ordinal of ordinals) {
      while (ordinal >= end) {
        const next = fragments.next();
        if (next.done === true) throw new RangeError(`There is no row ${ordinal}`);
        fragment = next.value[1];
        id = BigInt(next.value[0]) << 32n;
        end = fragment.firstOrdinal + fragment.count;
      }
      const at = ordinal - fragment!.firstOrdinal;
      ids.push(id | BigInt(fragment!.places?.[at] ?? at));
    }
    return ids;
  }

  /** The row ids must be of the same version. */
  ordinalsOf(rowIds: BigUint64Array): Int32Array {
    const halves = halvesOf(rowIds);
    const ordinals = new Int32Array(rowIds.length);
    let id = -1;
    let fragment: Fragment | undefined;
    for (let i = 0; i < ordinals.length; i++) {
      if (halves[2 * i + 1] !== id) {
        id = halves[2 * i + 1]!;
        fragment = this.fragments.get(id);
      }
      if (fragment === undefined) throw new Error(`There is no fragment ${id} in this version`);
      const place = halves[2 * i]!;
      ordinals[i] =
        fragment.firstOrdinal + (fragment.places === undefined ? place : placeAmong(fragment.places, place));
    }
    return ordinals;
  }
}

/** The low and high half of each id. Supported machines are little-endian, as Arrow is. */
const halvesOf = (rowIds: BigUint64Array): Uint32Array =>
  new Uint32Array(rowIds.buffer, rowIds.byteOffset, rowIds.length * 2);

function describe(halves: Uint32Array, start: number, end: number): Fragment {
  const count = end - start;
  for (let i = 1; i < count; i++) {
    if (halves[2 * (start + i)]! <= halves[2 * (start + i - 1)]!)
      throw new Error('The rows of a fragment are not in order');
  }
  const dense = halves[2 * start] === 0 && halves[2 * (end - 1)] === count - 1;
  if (dense) return { firstOrdinal: start, count };
  return {
    firstOrdinal: start,
    count,
    places: Uint32Array.from({ length: count }, (_, i) => halves[2 * (start + i)]!),
  };
}

function placeAmong(places: Uint32Array, place: number): number {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  if (places[low] !== place) throw new Error('There is no such row in this version');
  return low;
}
