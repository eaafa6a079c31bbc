import { FewNumbers } from '../vectors/few-numbers';
import type { MeasureJob, SmoothJob } from '../threads/pool-job';
import type { VectorTable } from '../vectors/vector-table';

/** The rank of the neighbour whose distance defines the local scale of a row. */
const SCALE_RANK = 5;
const MIN_SCALE = 1e-3;

/**
 * Moves each vector towards its mutual neighbours, weighted by the number of shared neighbours and by the distance relative to the local
 * scale. Members of an elongated family move together, while links between families, which share few neighbours, stay weak; the same holds
 * for two small families that only fill each other's lists. A pair without other neighbours is unchanged. Writes into the rows of the table.
 */
export class Smoother {
  private readonly drawn: Float64Array;
  private readonly own = new FewNumbers();

  constructor(
    private readonly job: SmoothJob,
    private readonly table: VectorTable,
  ) {
    this.drawn = new Float64Array(table.dimension);
  }

  smooth(from: number, to: number): void {
    const { keys, length } = this.job.neighbours;
    for (let at = from; at < to; at++) {
      const row = this.job.first + at;
      this.own.clear();
      for (let i = row * length; i < (row + 1) * length && keys[i] !== -1; i++) this.own.add(keys[i]!);
      this.drawn.fill(0);
      this.moveTowards(row, 1);
      for (let i = row * length; i < (row + 1) * length && keys[i] !== -1; i++)
        this.moveTowards(keys[i]!, this.weight(row, i));
      this.write(this.job.target + at);
    }
  }

  private weight(row: number, at: number): number {
    const { keys, scores, length } = this.job.neighbours;
    const theirs = keys[at]! * length;
    let shared = 0;
    let mutual = false;
    for (let other = theirs; other < theirs + length && keys[other] !== -1; other++) {
      if (keys[other] === row) mutual = true;
      else if (this.own.has(keys[other]!)) shared += 1;
    }
    if (!mutual) return 0;
    const distance = 1 - scores[at]!;
    const localScale = this.reach(row) * this.reach(keys[at]!);
    return Math.exp(-(distance * distance) / localScale) * (shared / length);
  }

  /** The local scale of a row: neighbours far beyond it get little weight, whatever their rank. */
  private reach(row: number): number {
    const { scores, length } = this.job.neighbours;
    return Math.max(MIN_SCALE, 1 - scores[row * length + Math.min(length, SCALE_RANK) - 1]!);
  }

  private moveTowards(towards: number, weight: number): void {
    if (weight === 0) return;
    const { drawn } = this;
    const { source, place } = this.job;
    const start = place[towards]! * source.stride;
    for (let k = 0; k < drawn.length; k++) drawn[k]! += source.floats[start + k]! * weight;
  }

  private write(row: number): void {
    const { drawn } = this;
    let square = 0;
    for (let k = 0; k < drawn.length; k++) square += drawn[k]! * drawn[k]!;
    const length = Math.sqrt(square);
    for (let k = 0; k < drawn.length; k++) drawn[k]! /= length;
    this.table.row(row).set(drawn);
  }
}

/** The dot product of the means of two clusters, which is the average cosine of their members. */
export function measureEdges(
  { first, second, similarity, size, place, changed }: MeasureJob,
  table: VectorTable,
  from: number,
  to: number,
): void {
  for (let edge = from; edge < to; edge++) {
    const [a, b] = [first[edge]!, second[edge]!];
    if (changed[a] === 0 && changed[b] === 0) continue;
    similarity[edge] = table.dot(place[a]!, place[b]!) / (size[a]! * size[b]!);
  }
}
