import { QueryColumns, type PlaneScorer } from './plane-scorer';
import { BLOCK_ROWS, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';

/** A pass over the rows for eight queries takes less than twice that for one: memory is what it waits for. */
const QUERIES_A_PASS = 8;

interface Waiting {
  readonly query: QueryDigits;
  readonly resolve: (distances: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Passes over the upper plane, one at a time; who asks during a pass shares the next one. */
export class ScanPasses {
  private readonly waiting: Waiting[] = [];
  private running = false;

  constructor(
    private readonly scorer: PlaneScorer,
    private readonly blocks: readonly QuantisedRows[],
    private readonly rows: number,
  ) {}

  scan(query: QueryDigits): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ query, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, QUERIES_A_PASS);
      try {
        const found = await this.pass(group.map(({ query }) => query));
        group.forEach(({ resolve }, at) => resolve(found[at]!));
      } catch (error) {
        group.forEach(({ reject }) => reject(error));
      }
    }
    this.running = false;
  }

  private async pass(queries: readonly QueryDigits[]): Promise<Float32Array[]> {
    const columns = new QueryColumns(queries, 256);
    const found = queries.map(() => new Float32Array(this.rows));
    const [only] = found;
    const together = found.length === 1 ? undefined : new Float32Array(queries.length * BLOCK_ROWS);
    for (const [index, { upper, negativeScale, farthest, count }] of this.blocks.entries()) {
      const first = index * BLOCK_ROWS;
      const part = together?.subarray(0, queries.length * count) ?? only!.subarray(first, first + count);
      await this.scorer.score({ bytes: upper, negativeScale, base: farthest }, columns, part);
      if (together === undefined) continue;
      found.forEach((distances, at) => distances.set(part.subarray(at * count, (at + 1) * count), first));
    }
    return found;
  }
}
