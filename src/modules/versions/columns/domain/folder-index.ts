import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { trimEndOf, trimStartOf } from '../../../../common/platform/text/texts';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import { textTest, type TextOp, type TextTest } from './text-condition';

/** The folder part of a path; empty for files in the source's root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export interface FolderCount {
  readonly folder: string;
  readonly count: number;
}

/** The folder of every row, as an index into the names. */
export class FolderIndex {
  private constructor(
    readonly names: readonly string[],
    /** By row, an index into the names. */
    readonly folderOfRow: Int32Array,
  ) {}

  static builder(rows: number): FolderIndexBuilder {
    return new FolderIndexBuilder(rows, (...parts) => new FolderIndex(...parts));
  }

  get bytes(): number {
    return this.folderOfRow.byteLength + this.names.reduce((sum, name) => sum + 2 * name.length + 40, 0);
  }

  async matching(op: TextOp, values: readonly string[]): Promise<OrdinalSet> {
    const passes = op === 'one_of' ? this.named(values) : await this.passing(textTest(op), values);
    const found = OrdinalSet.none(this.folderOfRow.length);
    await inSlices(this.folderOfRow.length, (start, end) => {
      for (let row = start; row < end; row++) if (passes[this.folderOfRow[row]!] === 1) found.add(row);
    });
    return found;
  }

  private named(values: readonly string[]): Uint8Array {
    const folders = new Set(values.map(withoutOuterSlashes));
    return Uint8Array.from(this.names, (name) => (folders.has(name) ? 1 : 0));
  }

  private async passing(test: TextTest, values: readonly string[]): Promise<Uint8Array> {
    const passes = new Uint8Array(this.names.length);
    await inSlices(this.names.length * values.length, (start, end) => {
      for (let pair = start; pair < end; pair++) {
        const name = Math.floor(pair / values.length);
        if (test(this.names[name]!, values[pair % values.length]!)) passes[name] = 1;
      }
    });
    return passes;
  }

  /** The most frequent ones, by falling count, then by name. */
  mostFrequent(rows: Int32Array, limit: number): FolderCount[] {
    const counts = new Map<number, number>();
    for (const row of rows) {
      const number = this.folderOfRow[row]!;
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    const all = Array.from(counts, ([number, count]) => ({ folder: this.names[number]!, count }));
    return all.sort(byCount).slice(0, limit);
  }

  /** By falling count, then by name. */
  async counts(rows: OrdinalSet): Promise<FolderCount[]> {
    const counts = new Int32Array(this.names.length);
    await inSlices(this.folderOfRow.length, (start, end) => {
      for (let row = start; row < end; row++) if (rows.has(row)) counts[this.folderOfRow[row]!]!++;
    });
    return this.names
      .map((folder, i) => ({ folder, count: counts[i]! }))
      .filter(({ count }) => count > 0)
      .sort(byCount);
  }
}

const byCount = (a: FolderCount, b: FolderCount): number => b.count - a.count || (a.folder < b.folder ? -1 : 1);

const withoutOuterSlashes = (folder: string): string => trimStartOf(trimEndOf(folder, '/'), '/');

export class FolderIndexBuilder {
  private readonly numbers = new Map<string, number>();
  private readonly folderOfRow: Int32Array;
  private row = 0;

  constructor(
    rows: number,
    private readonly create: (names: readonly string[], folderOfRow: Int32Array) => FolderIndex,
  ) {
    this.folderOfRow = new Int32Array(rows);
  }

  add(path: string): void {
    const folder = folderOf(path);
    let number = this.numbers.get(folder);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(folder, number);
    }
    this.folderOfRow[this.row++] = number;
  }

  build(): FolderIndex {
    return this.create([...this.numbers.keys()], this.folderOfRow);
  }
}
