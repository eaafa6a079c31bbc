import { sharedFloat32 } from '../arithmetic/shared-arrays';
import type { QueryDigits } from './query-digits';

/** A pass for eight queries takes little more than twice the time of one, because memory bandwidth is the limit. */
const QUERIES_PER_PASS = 8;

interface Waiting {
  readonly query: QueryDigits;
  readonly resolve: (distances: Float32Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Scores queries by the upper plane, query by query, into a shared array. */
export type Pass = (queries: readonly QueryDigits[], found: Float32Array) => Promise<void>;

/** Runs passes over the upper plane one at a time; requests during a pass share the next one. */
export class ScanPasses {
  private readonly waiting: Waiting[] = [];
  private running = false;
  /** Shared by all passes. */
  private found = sharedFloat32(0);

  constructor(
    private readonly rows: number,
    private readonly pass: Pass,
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
      const group = this.waiting.splice(0, QUERIES_PER_PASS);
      try {
        const found = this.roomFor(group.length);
        await this.pass(
          group.map(({ query }) => query),
          found,
        );
        group.forEach(({ resolve }, at) => resolve(found.slice(at * this.rows, (at + 1) * this.rows)));
      } catch (error) {
        group.forEach(({ reject }) => reject(error));
      }
    }
    this.running = false;
  }

  private roomFor(queries: number): Float32Array {
    const length = queries * this.rows;
    if (this.found.length < length) this.found = sharedFloat32(length);
    return this.found.subarray(0, length);
  }
}
