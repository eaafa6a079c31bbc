import type { ArrangeRowsJob, Shared } from '../threads/pool-job';
import type { Crowd } from './crowd';
import { hashed } from './hashed-random';

/** The number of rows that push each row away in a round. */
const OTHERS = 8;
/** The push of these rows together, relative to the pull of all neighbours together. */
const PUSH = 1;
/** Limits the push of a very near row. */
const SOFTENING = 0.01;
const MOST_PUSH = 4;

export function arrangeRows(job: Omit<ArrangeRowsJob, keyof Shared>, from: number, to: number): void {
  const { keys, pull, length, before, after, round, step, reach } = job;
  const scale = 1 / reach;
  const { x, y } = before;
  const rows = x.length;
  for (let row = from; row < to; row++) {
    const ownX = x[row]!;
    const ownY = y[row]!;
    let moveX = 0;
    let moveY = 0;
    for (let at = row * length; at < (row + 1) * length; at++) {
      const other = keys[at]!;
      if (other === -1) break;
      const dx = (x[other]! - ownX) * scale;
      const dy = (y[other]! - ownY) * scale;
      const force = pull[at]! / (1 + dx * dx + dy * dy);
      moveX += force * dx;
      moveY += force * dy;
    }
    let pushX = 0;
    let pushY = 0;
    for (let i = 0; i < OTHERS; i++) {
      const drawn = hashed(row, round * OTHERS + i);
      const other = job.crowd === undefined ? drawn % rows : drawnFrom(job.crowd, row, drawn);
      const dx = ownX - x[other]!;
      const dy = ownY - y[other]!;
      const square = dx * dx + dy * dy;
      const force = 1 / ((SOFTENING + square) * (1 + square));
      pushX += bounded(force * dx);
      pushY += bounded(force * dy);
    }
    after.x[row] = ownX + step * (reach * moveX + (PUSH / OTHERS) * pushX);
    after.y[row] = ownY + step * (reach * moveY + (PUSH / OTHERS) * pushY);
  }
}

function drawnFrom({ cells, probes, members, start }: Crowd, row: number, drawn: number): number {
  const cell = cells[row * probes + (drawn % probes)]!;
  const size = start[cell + 1]! - start[cell]!;
  return size === 0 ? row : members[start[cell]! + (Math.floor(drawn / probes) % size)]!;
}

const bounded = (push: number): number => Math.max(-MOST_PUSH, Math.min(MOST_PUSH, push));
