/** Of the API. */
const MOST_ROWS = 100;

interface OfRow {
  readonly row: number;
}

/** The media of rows, asked for together and remembered. */
export class RowMedia<Media extends OfRow> {
  private readonly known = new Map<number, Media>();
  private readonly asked = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private version = 0;

  constructor(
    private readonly read: (rows: readonly number[]) => Promise<readonly Media[]>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Changes whenever media have come. */
  readonly state = (): number => this.version;

  at(row: number): Media | undefined {
    return this.known.get(row);
  }

  /** Those that are not there yet come later. */
  want(rows: readonly number[]): void {
    const missing = rows.filter((row) => !this.known.has(row) && !this.asked.has(row));
    for (let from = 0; from < missing.length; from += MOST_ROWS) void this.load(missing.slice(from, from + MOST_ROWS));
  }

  private async load(rows: readonly number[]): Promise<void> {
    for (const row of rows) this.asked.add(row);
    try {
      for (const media of await this.read(rows)) this.known.set(media.row, media);
      this.version += 1;
      for (const listener of this.listeners) listener();
    } catch (error) {
      this.onFailure(error);
    } finally {
      for (const row of rows) this.asked.delete(row);
    }
  }
}
