import { BlockScorer } from './block-scorer';
import { ColumnMaxima } from './column-maxima';
import type { ScanKnownJob } from './pool-job';
import { hashRow } from './distinct-items';
import { offerNear, type NearLists } from './near-lists';
import { EDGE_FLOOR, TWIN } from './similarity-structure';
import { offer } from './top-lists';
import { blockAt } from './vector-blocks';

const ROWS_PER_CALL = 512;
/** An upper bound of the rounding error of the matrix product. */
const ROUNDING = 1e-5;
const FLOOR = EDGE_FLOOR - ROUNDING;
/** From this score on, two vectors are tested for equality. */
const ALIKE = 1 - ROUNDING;

type Ranges = Iterable<[from: number, to: number]>;

export async function scanKnown(job: ScanKnownJob, ranges: Ranges): Promise<void> {
  const { blocks, vectors } = job;
  const scorer = await BlockScorer.create('float', blocks.dimension);
  const maxima = await ColumnMaxima.create();
  const scan = new KnownScan(job);
  for (const [from, to] of ranges) {
    for (let first = from; first < to; first += ROWS_PER_CALL) {
      const count = Math.min(ROWS_PER_CALL, to - first);
      const rows = vectors.subarray(first * blocks.dimension, (first + count) * blocks.dimension);
      for (let index = 0; index + 1 < blocks.start.length; index++) {
        const scores = await scorer.score(rows, count, blockAt(blocks, index));
        scan.update(first, count, index, scores, await maxima.of(scores, count));
      }
      scan.settle(first, count);
    }
  }
  await Promise.all([scorer.close(), maxima.close()]);
}

/** Compares known rows, scored against the added ones, and updates the lists of both. */
class KnownScan {
  private readonly lists: NearLists;
  /** For each added row the score above which a known one may still enter its list. */
  private readonly thresholds: Float32Array;
  private readonly words: Int32Array;
  private readonly addedWords: Int32Array;
  private hashed = -1;
  private hash = 0;

  constructor(private readonly job: ScanKnownJob) {
    this.lists = job.lists[Atomics.add(job.seat, 0, 1)]!;
    const { scores, length } = this.lists;
    this.thresholds = Float32Array.from({ length: job.added.length / job.blocks.dimension }, (_, row) =>
      thresholdOf(scores[row * length + length - 1]!),
    );
    this.words = wordsOf(job.vectors);
    this.addedWords = wordsOf(job.added);
  }

  /** `most` is the largest score of each added row, to skip most of them. */
  update(firstRow: number, count: number, index: number, scores: Float32Array, most: Float32Array): void {
    const { blocks, named, naming } = this.job;
    const { thresholds: bars } = this;
    const start = blocks.start[index]!;
    for (let column = 0; column < most.length; column++) {
      const added = start + column;
      const floor = added < naming ? FLOOR : Infinity;
      if (most[column]! < bars[added]! && most[column]! < floor) continue;
      for (let at = 0; at < count; at++) {
        const score = scores[at * most.length + column]!;
        if (score >= bars[added]!) this.offerKnown(firstRow + at, added);
        if (score >= floor) offer(named, firstRow + at, added, score);
      }
    }
  }

  /** Computes the exact cosines of the known rows' neighbours and drops those below the floor. */
  settle(first: number, count: number): void {
    const { named, hashes } = this.job;
    for (let row = first; row < first + count; row++) {
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
