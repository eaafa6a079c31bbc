import { rowsByCell } from '../vectors/block-scan';
import { BlockScorer } from '../vectors/block-scorer';
import { ColumnMaxima } from '../vectors/column-maxima';
import type { AddedCells, ScanKnownJob } from '../threads/pool-job';
import { PROBES } from '../cells/mean-cells';
import { hashRow } from '../distinct-items';
import { offerNear, type NearLists } from './near-lists';
import { TWIN } from '../similarity-structure';
import { allocateTopLists, offer, offerScores } from '../vectors/top-lists';
import { blockAt } from '../vectors/vector-blocks';

const ROWS_PER_CALL = 512;
/** An upper bound of the rounding error of the matrix product. */
const ROUNDING = 1e-5;
/** From this score on, two vectors are tested for equality. */
const ALIKE = 1 - ROUNDING;

type Ranges = Iterable<[from: number, to: number]>;

export async function scanKnown(job: ScanKnownJob, ranges: Ranges): Promise<void> {
  const scan = await KnownScan.open(job);
  for (const [from, to] of ranges) {
    if (job.cells === undefined) await scan.againstAll(from, to);
    else await scan.againstCells(job.cells, from, to);
    scan.settle(from, to);
  }
  await scan.close();
}

/** Scores known rows against the added ones and updates the lists of both. */
class KnownScan {
  private readonly lists: NearLists;
  /** For each added row, the score above which a known row may still enter its list. */
  private readonly thresholds: Float32Array;
  private readonly gathered: Float32Array;
  private readonly words: Int32Array;
  private readonly addedWords: Int32Array;
  private hashed = -1;
  private hash = 0;

  private constructor(
    private readonly job: ScanKnownJob,
    private readonly scorer: BlockScorer,
    private readonly maxima: ColumnMaxima,
  ) {
    this.lists = job.lists[Atomics.add(job.seat, 0, 1)]!;
    const { scores, length } = this.lists;
    this.thresholds = Float32Array.from({ length: job.added.length / job.blocks.dimension }, (_, row) =>
      thresholdOf(scores[row * length + length - 1]!),
    );
    this.words = wordsOf(job.vectors);
    this.addedWords = wordsOf(job.added);
    this.gathered = new Float32Array(ROWS_PER_CALL * job.blocks.dimension);
  }

  static async open(job: ScanKnownJob): Promise<KnownScan> {
    return new KnownScan(job, await BlockScorer.create('float', job.blocks.dimension), await ColumnMaxima.create());
  }

  async againstAll(from: number, to: number): Promise<void> {
    await this.rangeAgainst(from, to, 0, this.job.blocks.start.length - 1);
  }

  /** Compares each row with the added ones in the cells nearest to it. */
  async againstCells({ means, firstBlock, always }: AddedCells, from: number, to: number): Promise<void> {
    const count = to - from;
    const nearest = allocateTopLists(count, PROBES);
    for (let first = from; first < to; first += ROWS_PER_CALL) {
      const some = Math.min(ROWS_PER_CALL, to - first);
      for (let index = 0; index + 1 < means.start.length; index++) {
        const block = blockAt(means, index);
        const scores = await this.scorer.score(this.vectorsOf(first, some), some, block);
        for (let at = 0; at < some; at++)
          offerScores(
            nearest,
            first - from + at,
            -1,
            scores,
            at * block.count,
            means.members,
            means.start[index]!,
            block.count,
          );
      }
    }
    const { rows, start } = rowsByCell(nearest, 0, count, firstBlock.length - 1);
    for (let cell = 0; cell + 1 < firstBlock.length; cell++) {
      const probing = rows.subarray(start[cell], start[cell + 1]).map((row) => from + row);
      for (let first = 0; first < probing.length; first += ROWS_PER_CALL) {
        const some = probing.subarray(first, first + ROWS_PER_CALL);
        await this.against(some, this.gather(some), firstBlock[cell]!, firstBlock[cell + 1]!);
      }
    }
    await this.rangeAgainst(from, to, firstBlock[always]!, firstBlock[always + 1]!);
  }

  async close(): Promise<void> {
    await Promise.all([this.scorer.close(), this.maxima.close()]);
  }

  private async rangeAgainst(from: number, to: number, firstBlock: number, endBlock: number): Promise<void> {
    for (let first = from; first < to; first += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, to - first);
      const rows = Int32Array.from({ length: count }, (_, at) => first + at);
      await this.against(rows, this.vectorsOf(first, count), firstBlock, endBlock);
    }
  }

  /** Scores rows against the blocks of added rows from `firstBlock` to `endBlock`. */
  private async against(rows: Int32Array, vectors: Float32Array, firstBlock: number, endBlock: number): Promise<void> {
    for (let index = firstBlock; index < endBlock; index++) {
      const block = blockAt(this.job.blocks, index);
      const { values } = await this.scorer.score(vectors, rows.length, block);
      const scores = values.subarray(0, rows.length * block.count);
      this.update(rows, index, scores, await this.maxima.of(scores, rows.length));
    }
  }

  private gather(rows: Int32Array): Float32Array {
    const { dimension } = this.job.blocks;
    rows.forEach((row, at) => this.gathered.set(this.vectorsOf(row, 1), at * dimension));
    return this.gathered;
  }

  private vectorsOf(first: number, count: number): Float32Array {
    const { vectors, blocks } = this.job;
    return vectors.subarray(first * blocks.dimension, (first + count) * blocks.dimension);
  }

  /** `most` has the largest score of each added row; most added rows are skipped by it. */
  private update(rows: Int32Array, index: number, scores: Float32Array, most: Float32Array): void {
    const { blocks, named, naming, least } = this.job;
    const { thresholds: bars } = this;
    const start = blocks.start[index]!;
    for (let column = 0; column < most.length; column++) {
      const added = blocks.members[start + column]!;
      const floor = added < naming ? least - ROUNDING : Infinity;
      if (most[column]! < bars[added]! && most[column]! < floor) continue;
      for (let at = 0; at < rows.length; at++) {
        const score = scores[at * most.length + column]!;
        if (score >= bars[added]!) this.offerKnown(rows[at]!, added);
        if (score >= floor) offer(named, rows[at]!, added, score);
      }
    }
  }

  /** Computes the exact cosines of the known rows' neighbours and drops those below the floor. */
  settle(from: number, to: number): void {
    const { named, hashes } = this.job;
    for (let row = from; row < to; row++) {
      const start = row * named.length;
      if (named.keys[start] === -1) continue;
      hashes[row] = this.hashOf(row);
      for (let at = start; at < start + named.length && named.keys[at] !== -1; at++)
        named.scores[at] = this.cosine(row, named.keys[at]!);
    }
  }

  private offerKnown(row: number, added: number): void {
    const { scores, length } = this.lists;
    offerNear(this.lists, added, this.job.ordinals[row]!, this.cosine(row, added), this.hashOf(row));
    this.thresholds[added] = thresholdOf(scores[(added + 1) * length - 1]!);
  }

  /** Computed in 64 bits and rounded to 32; above any cosine if the vectors are equal. */
  private cosine(row: number, added: number): number {
    const { vectors, added: theirs, blocks } = this.job;
    const { dimension } = blocks;
    const a = row * dimension;
    const b = added * dimension;
    let sum = 0;
    for (let at = 0; at < dimension; at++) sum += vectors[a + at]! * theirs[b + at]!;
    if (sum > ALIKE && this.isSame(a, b)) return TWIN;
    return Math.fround(Math.max(-1, Math.min(1, sum)));
  }

  private isSame(a: number, b: number): boolean {
    const { dimension } = this.job.blocks;
    for (let at = 0; at < dimension; at++) if (this.words[a + at] !== this.addedWords[b + at]) return false;
    return true;
  }

  private hashOf(row: number): number {
    const { dimension } = this.job.blocks;
    if (this.hashed !== row) {
      this.hashed = row;
      this.hash = hashRow(this.words, row * dimension, dimension) | 0;
    }
    return this.hash;
  }
}

const thresholdOf = (least: number): number => least - ROUNDING;

const wordsOf = ({ buffer, byteOffset, length }: Float32Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length);
