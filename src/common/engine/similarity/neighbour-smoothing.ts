import type { MeasureJob, SmoothJob } from './crew-job';
import type { VectorTable } from './vector-table';

/** The neighbour whose distance says how far a row's own surroundings reach. */
const REACHED = 5;
const LEAST_REACH = 1e-3;

/**
 * Draws each vector towards those neighbours that name it too, the more the more neighbours both share and the nearer
 * they are for this part of the dataset: the members of a stretched family come together, while a bridge between two
 * families, whose links share few, stays thin, and so does the link between two small families that only fill up each
 * other's lists. A pair alone stays as it is. The table's rows are overwritten.
 */
export class Smoother {
  private readonly drawn: Float64Array;
  private readonly seen: Int32Array;

  constructor(
    private readonly job: SmoothJob,
    private readonly table: VectorTable,
  ) {
    this.drawn = new Float64Array(table.dimension);
    this.seen = new Int32Array(job.total).fill(-1);
  }

  smooth(from: number, to: number): void {
    const { keys, length } = this.job.neighbours;
    for (let row = from; row < to; row++) {
      for (let at = row * length; at < (row + 1) * length && keys[at] !== -1; at++) this.seen[keys[at]!] = row;
      this.drawn.fill(0);
      this.draw(row, 1);
      for (let at = row * length; at < (row + 1) * length && keys[at] !== -1; at++)
        this.draw(keys[at]!, this.weight(row, at));
      this.write(row);
    }
  }

  private weight(row: number, at: number): number {
    const { keys, scores, length } = this.job.neighbours;
    const theirs = keys[at]! * length;
    let shared = 0;
    let mutual = false;
    for (let other = theirs; other < theirs + length && keys[other] !== -1; other++) {
      if (keys[other] === row) mutual = true;
      else if (this.seen[keys[other]!] === row) shared += 1;
    }
    if (!mutual) return 0;
    const distance = 1 - scores[at]!;
    const reach = this.reach(row) * this.reach(keys[at]!);
    return Math.exp(-(distance * distance) / reach) * (shared / length);
  }

  /** How far away the near ones of a row lie: a neighbour far beyond them counts little, however high it ranks. */
  private reach(row: number): number {
    const { scores, length } = this.job.neighbours;
    return Math.max(LEAST_REACH, 1 - scores[row * length + Math.min(length, REACHED) - 1]!);
  }

  private draw(towards: number, weight: number): void {
    if (weight === 0) return;
    const { vectors, item } = this.job;
    const { drawn } = this;
    const start = item[towards]! * drawn.length;
    for (let k = 0; k < drawn.length; k++) drawn[k]! += weight * vectors[start + k]!;
  }

  private write(row: number): void {
    const { drawn } = this;
    let square = 0;
    for (const value of drawn) square += value * value;
    const length = Math.sqrt(square);
    for (let k = 0; k < drawn.length; k++) drawn[k]! /= length;
    this.table.row(row).set(drawn);
  }
}

export function measureEdges(
  { first, second, cosine }: MeasureJob,
  table: VectorTable,
  from: number,
  to: number,
): void {
  for (let edge = from; edge < to; edge++) cosine[edge] = table.dot(first[edge]!, second[edge]!);
}
