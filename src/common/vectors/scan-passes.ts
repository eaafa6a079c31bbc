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

  constructor(private readonly pass: (queries: readonly QueryDigits[]) => Promise<readonly Float32Array[]>) {}

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
}
