import { hash } from 'node:crypto';
import type { OpenedVersion } from '../../versions';
import { normalizedPath } from '../../tables';
import { inSlices } from '../../../common/platform/concurrency/in-slices';

const NONE = -1;
const SEVERAL = -2;
const SLICE = 2 ** 12;
const IMAGES_FOLDER = 'images/';
const EXTENSION = /\.[A-Za-z0-9]{1,5}$/;
/** A name of a file that is somewhere else: only its last part says anything. */
const ELSEWHERE = /^(?:\/|\.\.\/|[A-Za-z]:\/|[a-z][a-z0-9+.-]*:\/\/)/;

/** Rows by the hash of a name: a hash table with linear probing. */
class RowsByName {
  private readonly keys: BigUint64Array;
  private readonly rows: Int32Array;

  constructor(
    names: number,
    private readonly wanted?: ReadonlySet<string>,
  ) {
    const capacity = 2 ** Math.ceil(Math.log2(2 * names + 2));
    this.keys = new BigUint64Array(capacity);
    this.rows = new Int32Array(capacity).fill(NONE);
  }

  /** The row of the name; below 0 if there is none, or several. */
  get(name: string): number {
    return this.rows[this.placeOf(keyOf(name))]!;
  }

  /** A name of several rows is none of them. */
  add(name: string, row: number): void {
    if (this.wanted?.has(name) === false) return;
    const key = keyOf(name);
    const place = this.placeOf(key);
    const known = this.rows[place]!;
    this.keys[place] = key;
    this.rows[place] = known === NONE || known === row ? row : SEVERAL;
  }

  private placeOf(key: bigint): number {
    const mask = this.keys.length - 1;
    let place = Number(BigInt.asUintN(32, key)) & mask;
    while (this.rows[place] !== NONE && this.keys[place] !== key) place = (place + 1) & mask;
    return place;
  }
}

const keyOf = (name: string): bigint => hash('sha256', name, 'buffer').readBigUInt64LE();

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * The rows of pictures by the names that files of annotations have for them: the path in the dataset, with or without a folder `images` before it; for names
 * without a folder, and those of other places, the name of the file, if only one picture has it. Names may lack their extension.
 */
export class PictureRows {
  private constructor(
    private readonly paths: RowsByName,
    private readonly fileNames: RowsByName,
  ) {}

  /** Of all pictures, or of those that can have one of these names only. */
  static async of({ table, index }: OpenedVersion, given?: readonly string[]): Promise<PictureRows> {
    const wanted =
      given && new Set(given.map(normalizedPath).flatMap((path) => [...withoutImages(path), lastPart(path)]));
    const byName = (names: number) => new RowsByName(wanted?.size ?? names, wanted);
    const [paths, fileNames] = [byName(4 * table.rows), byName(2 * table.rows)];
    for await (const { first, count, bytes, bounds } of table.readTexts('path'))
      await inSlices(
        count,
        (start, end) => {
          for (let at = start; at < end; at++) {
            if (!['IMAGE', 'FRAME'].includes(index.kindOf(first + at))) continue;
            const path = normalizedPath(Buffer.from(bytes.subarray(bounds[at], bounds[at + 1])).toString());
            for (const name of withoutImages(path)) addBoth(paths, name, first + at);
            addBoth(fileNames, lastPart(path), first + at);
          }
        },
        SLICE,
      );
    return new PictureRows(paths, fileNames);
  }

  /** Below 0 if there is none, or several. */
  find(given: string): number {
    const path = normalizedPath(given);
    for (const name of withoutImages(path)) {
      const row = this.paths.get(name);
      if (row >= 0) return row;
    }
    return !path.includes('/') || ELSEWHERE.test(path) ? this.fileNames.get(lastPart(path)) : NONE;
  }
}

/** With its extension and without. */
function addBoth(names: RowsByName, name: string, row: number): void {
  names.add(name, row);
  if (EXTENSION.test(name)) names.add(name.replace(EXTENSION, ''), row);
}

const withoutImages = (path: string): readonly string[] =>
  path.startsWith(IMAGES_FOLDER) ? [path, path.slice(IMAGES_FOLDER.length)] : [path];
