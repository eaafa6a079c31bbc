import { RUN_ROWS, runsOf } from './found-distances';
import { free } from './free';
import { lowerQuery, type LowerScorer } from './lower-scorer';
import { buffersOf, type QuantisedRows } from './quantised-rows';
import type { QueryDigits } from './query-digits';
import { QueryRows, UpperPlane } from './upper-plane';

export interface NumberedBlock {
  readonly index: number;
  readonly rows: QuantisedRows;
}

/** The blocks before `end` of a matrix whose rows there are the same. */
export interface KeptBlocks {
  readonly matrix: number;
  readonly end: number;
}

interface HeldBlock {
  readonly index: number;
  readonly count: number;
  readonly upper: UpperPlane;
  readonly lower: Uint8Array;
  readonly negativeScale: Float32Array;
  /** The number of matrices that share the block. */
  holders: number;
}

/** Scores by the upper plane, for one query or query by query. */
export interface UpperScores {
  /** The distance of each row; Infinity without a vector. */
  readonly distances: Float32Array;
  readonly leastOfRuns: Float32Array;
}

/** The rows to score by the lower plane, and which of them are in these blocks. */
interface Asked {
  readonly query: QueryDigits;
  readonly ordinals: Int32Array;
  readonly places: Int32Array;
  /** The score of each ordinal. */
  readonly added: Float32Array;
}

const GATHERED_ROWS = 4096;

/** Above this share of a block's rows, scoring all of them is faster than gathering the requested ones. */
const DENSE = 1 / 8;

/** The blocks of a matrix that one thread stores and scans. */
export class HeldBlocks {
  private readonly blocks = new Map<number, HeldBlock>();

  private constructor(private readonly blockRows: number) {}

  /** Takes ownership of the arrays of the blocks, and shares those before `end` of another matrix. */
  static async open(
    blockRows: number,
    blocks: readonly NumberedBlock[],
    kept?: { readonly of: Promise<HeldBlocks>; readonly end: number },
  ): Promise<HeldBlocks> {
    const held = new HeldBlocks(blockRows);
    if (kept !== undefined) held.share(await kept.of, kept.end);
    try {
      for (const { index, rows } of blocks) {
        const { count, lower, negativeScale } = rows;
        const upper = await UpperPlane.open(rows);
        held.blocks.set(index, { index, count, upper, lower, negativeScale, holders: 1 });
        free(buffersOf(rows).filter((buffer) => buffer !== lower.buffer && buffer !== negativeScale.buffer));
      }
      return held;
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  /** Writes to arrays shared by all threads, with space for all rows and runs of the matrix. */
  async scanUpper(queries: readonly QueryDigits[], { distances, leastOfRuns }: UpperScores): Promise<void> {
    const asked = new QueryRows(queries);
    const rows = distances.length / queries.length;
    const runs = leastOfRuns.length / queries.length;
    const most = Math.max(0, ...[...this.blocks.values()].map(({ count }) => count));
    const room = {
      distances: new Float32Array(asked.count * most),
      least: new Float32Array(asked.count * runsOf(most)),
    };
    for (const { index, count, upper } of this.blocks.values()) {
      const { wholeRuns } = upper;
      const ofRows = room.distances.subarray(0, asked.count * count);
      const ofRuns = room.least.subarray(0, asked.count * wholeRuns);
      await upper.score(asked, ofRows, ofRuns);
      for (let at = 0; at < queries.length; at++) {
        const firstRun = at * runs + (index * this.blockRows) / RUN_ROWS;
        distances.set(ofRows.subarray(at * count, (at + 1) * count), at * rows + index * this.blockRows);
        leastOfRuns.set(ofRuns.subarray(at * wholeRuns, (at + 1) * wholeRuns), firstRun);
        // The last rows may not form a whole run.
        if (wholeRuns < runsOf(count)) leastOfRuns[firstRun + wholeRuns] = -Infinity;
      }
    }
  }

  /** Adds the lower plane's correction for the requested rows that are in these blocks. */
  async scanLower(scorer: LowerScorer, query: QueryDigits, ordinals: Int32Array, added: Float32Array): Promise<void> {
    const places = this.placesOf(ordinals);
    const held = [...this.blocks.values()].reduce((rows, { count }) => rows + count, 0);
    const asked = { query, ordinals, places, added };
    await (places.length > held * DENSE ? this.lowerOfAll(scorer, asked) : this.lowerOfSome(scorer, asked));
  }

  release(): Promise<unknown> {
    const held = [...this.blocks.values()].filter((block) => --block.holders === 0);
    this.blocks.clear();
    free(held.flatMap(({ lower, negativeScale }) => [lower.buffer, negativeScale.buffer]));
    return Promise.all(held.map(({ upper }) => upper.release()));
  }

  private share(other: HeldBlocks, end: number): void {
    for (const block of other.blocks.values()) {
      if (block.index >= end) continue;
      block.holders += 1;
      this.blocks.set(block.index, block);
    }
  }

  private placesOf(ordinals: Int32Array): Int32Array {
    const places = new Int32Array(ordinals.length);
    let count = 0;
    ordinals.forEach((ordinal, place) => {
      if (this.blocks.has(Math.floor(ordinal / this.blockRows))) places[count++] = place;
    });
    return places.subarray(0, count);
  }

  private async lowerOfSome(scorer: LowerScorer, { query, ordinals, places, added }: Asked): Promise<void> {
    const digits = lowerQuery(query);
    const rows = Math.min(GATHERED_ROWS, places.length);
    const bytes = new Uint8Array(rows * query.dimension);
    const negativeScale = new Float32Array(rows);
    const scores = new Float32Array(rows);
    for (let first = 0; first < places.length; first += rows) {
      const some = places.subarray(first, first + rows);
      some.forEach((place, at) => {
        const ordinal = ordinals[place]!;
        const block = this.blocks.get(Math.floor(ordinal / this.blockRows))!;
        const start = (ordinal % this.blockRows) * query.dimension;
        bytes.set(block.lower.subarray(start, start + query.dimension), at * query.dimension);
        negativeScale[at] = block.negativeScale[ordinal % this.blockRows]!;
      });
      const gathered = {
        bytes: bytes.subarray(0, some.length * query.dimension),
        negativeScale: negativeScale.subarray(0, some.length),
      };
      await scorer.score(gathered, digits, scores.subarray(0, some.length));
      some.forEach((place, at) => (added[place] = scores[at]!));
    }
  }

  private async lowerOfAll(scorer: LowerScorer, { query, ordinals, places, added }: Asked): Promise<void> {
    const digits = lowerQuery(query);
    const scores = new Map<number, Float32Array>();
    for (const { index, count, lower, negativeScale } of this.blocks.values()) {
      const ofBlock = new Float32Array(count);
      await scorer.score({ bytes: lower, negativeScale }, digits, ofBlock);
      scores.set(index, ofBlock);
    }
    for (const place of places) {
      const ordinal = ordinals[place]!;
      added[place] = scores.get(Math.floor(ordinal / this.blockRows))![ordinal % this.blockRows]!;
    }
  }
}
