import type { MetadataValue } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { versionName } from '../../../common/engine/media-table/table-version';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import { MetadataColumn, MetadataColumnBuilder } from './domain/metadata-column';

/** Rows of text to decode at once: a few milliseconds on the event loop. */
const BATCH_ROWS = 4_096;
/** Versions whose names of fields are kept. */
const MOST_VERSIONS = 1_000;

/** The fields of people in the versions of datasets, within a budget of bytes. */
export class MetadataColumns {
  private readonly columns: BoundedCache<MetadataColumn | null>;
  private readonly names = new BoundedCache<readonly string[]>(MOST_VERSIONS);

  constructor(private readonly limit: number) {
    this.columns = new BoundedCache(limit, (column) => column?.bytes ?? 1, { keepsLast: true });
  }

  get usage(): CacheUsage {
    return this.columns.usage;
  }

  /** Undefined if no row has a value of the field. */
  async one(table: MediaTable, name: string): Promise<MetadataColumn | undefined> {
    const column = await this.columns.getOrLoad(keyOf(table, name), async () => {
      const { columns } = await loadColumns(table, this.limit, [name]);
      return columns[0] ?? null;
    });
    return column ?? undefined;
  }

  /** One after the other, in the order of their names, so that few are in memory. */
  async *all(table: MediaTable): AsyncGenerator<MetadataColumn> {
    for (const name of await this.namesOf(table)) {
      const column = await this.one(table, name);
      if (column !== undefined) yield column;
    }
  }

  private namesOf(table: MediaTable): Promise<readonly string[]> {
    return this.names.getOrLoad(versionName(table.at), async () => {
      const { columns, names } = await loadColumns(table, this.limit);
      for (const column of columns) this.columns.set(keyOf(table, column.name), column);
      return names;
    });
  }
}

const keyOf = (table: MediaTable, name: string): string => `${versionName(table.at)} ${name}`;

interface Loaded {
  readonly columns: readonly MetadataColumn[];
  /** Of all fields that were asked for and have values. */
  readonly names: readonly string[];
}

/** Reads the table once. Of several fields, those that exceed the memory are left out. */
async function loadColumns(table: MediaTable, limit: number, wanted?: readonly string[]): Promise<Loaded> {
  const builders = new ColumnBuilders(table.rows, limit, wanted && new Set(wanted));
  if (table.has('customMetadata')) {
    let row = 0;
    for await (const batch of table.readRows(['customMetadata'], { batchRows: BATCH_ROWS })) {
      for (const { customMetadata } of batch) {
        if (customMetadata !== null) builders.add(row, customMetadata);
        row += 1;
      }
      builders.keepWithinLimit();
    }
  }
  return builders.build();
}

/** Rows that are in memory. */
export function columnOf(
  rows: readonly { readonly customMetadata: readonly MetadataValue[] | null }[],
  name: string,
): MetadataColumn | undefined {
  const builders = new ColumnBuilders(rows.length, Infinity, new Set([name]));
  for (const [row, { customMetadata }] of rows.entries()) builders.add(row, customMetadata ?? []);
  return builders.build().columns[0];
}

class ColumnBuilders {
  private readonly builders = new Map<string, MetadataColumnBuilder>();
  private readonly leftOut = new Set<string>();

  constructor(
    private readonly rows: number,
    private readonly limit: number,
    private readonly wanted: ReadonlySet<string> | undefined,
  ) {}

  add(row: number, values: readonly MetadataValue[]): void {
    for (const value of values) {
      const { name, type } = value;
      if (this.wanted?.has(name) === false || this.leftOut.has(name)) continue;
      let builder = this.builders.get(name);
      if (builder === undefined) {
        builder = new MetadataColumnBuilder(name, type, this.rows);
        this.builders.set(name, builder);
      }
      builder.add(row, value);
    }
  }

  /** One field is always kept. */
  keepWithinLimit(): void {
    let bytes = 0;
    for (const [name, builder] of this.builders) {
      bytes += builder.bytes;
      if (bytes <= this.limit || this.builders.size === 1) continue;
      this.builders.delete(name);
      this.leftOut.add(name);
      bytes -= builder.bytes;
    }
  }

  build(): Loaded {
    const names = [...this.builders.keys(), ...this.leftOut].sort();
    return { columns: Array.from(this.builders.values(), (builder) => builder.build()), names };
  }
}
