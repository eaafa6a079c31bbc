import { setImmediate } from 'node:timers/promises';
import { inSlices } from '../../domain/in-slices';
import type { Crowds } from './crowds';
import type { NeighbourLists } from './neighbour-lists';

const NONE = -1;
/** A few milliseconds of work. */
const ROWS_AT_ONCE = 2 ** 15;
const NOBODY: readonly number[] = [];

/**
 * Groups rows around centres. Whoever has the most neighbours goes first, of equals the lowest row, and takes all of its
 * neighbours that are still free. Who is left alone then, though it has neighbours, gets the nearest of them as a centre.
 */
export class StarGroups {
  private readonly centreOf: Int32Array;
  /** By centre, copies counted. */
  private readonly sizes: Int32Array;

  constructor(
    private readonly lists: NeighbourLists,
    private readonly copies: Int32Array,
    private readonly crowds: Crowds | undefined,
  ) {
    this.centreOf = new Int32Array(copies.length).fill(NONE);
    this.sizes = new Int32Array(copies.length);
  }

  /** For each row its centre, itself among them; negative for those that are in no group. */
  async centres(): Promise<Int32Array> {
    const order = await this.byNeighbours();
    let at = this.gatherFrom(order, 0);
    while (at < order.length) {
      const row = order[at]!;
      const beyond = this.centreOf[row] === NONE ? this.crowds?.beyond(row) : undefined;
      if (beyond === undefined) {
        await setImmediate();
      } else {
        this.gather(row, await beyond);
        at += 1;
      }
      at = this.gatherFrom(order, at);
    }
    await inSlices(this.centreOf.length, (from, to) => {
      for (let row = from; row < to; row++)
        if (this.centreOf[row] === NONE && this.lists.degree(row) > 0) this.rescue(row);
    });
    return this.centreOf;
  }

  /** Goes on from `start` until one in a crowd comes, whose neighbours must be waited for, or its turn is over. */
  private gatherFrom(order: Int32Array, start: number): number {
    const end = Math.min(order.length, start + ROWS_AT_ONCE);
    for (let at = start; at < end; at++) {
      const row = order[at]!;
      if (this.centreOf[row] !== NONE) continue;
      if (this.crowds?.holds(row) === true) return at;
      this.gather(row, NOBODY);
    }
    return end;
  }

  /** `beyond` are neighbours that its list doesn't name. */
  private gather(centre: number, beyond: readonly number[]): void {
    const { lists } = this;
    if (this.copies[centre]! > 1) this.put(centre, centre);
    for (let place = lists.start(centre); place < lists.end(centre); place++) this.take(lists.at(place), centre);
    for (const other of beyond) this.take(other, centre);
  }

  private take(row: number, centre: number): void {
    if (this.centreOf[row] !== NONE) return;
    if (this.centreOf[centre] === NONE) this.put(centre, centre);
    this.put(row, centre);
  }

  /** Its neighbours are all members of others: the nearest leaves its group, or leads it when it would fall apart. */
  private rescue(row: number): void {
    const leader = this.lists.nearest(row);
    const before = this.centreOf[leader]!;
    if (before !== leader) {
      const isPair = this.sizes[before] === this.copies[leader]! + 1;
      this.sizes[before] = isPair ? 0 : this.sizes[before]! - this.copies[leader]!;
      this.put(leader, leader);
      if (isPair) this.put(before, leader);
    }
    this.put(row, leader);
  }

  private put(row: number, centre: number): void {
    this.centreOf[row] = centre;
    this.sizes[centre]! += this.copies[row]!;
  }

  /** Those that have neighbours or copies, whoever has most of both first: a counting sort. */
  private async byNeighbours(): Promise<Int32Array> {
    const { lists, copies } = this;
    const rows = copies.length;
    const reach = new Int32Array(rows);
    let most = 0;
    await inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) {
        let sum = Math.max(0, copies[row]! - 1);
        for (let place = lists.start(row); place < lists.end(row); place++) sum += copies[lists.at(place)]!;
        reach[row] = sum;
        if (sum > most) most = sum;
      }
    });
    const starts = new Int32Array(most + 1);
    for (const value of reach) if (value > 0) starts[value - 1]! += 1;
    for (let value = most - 1; value >= 0; value--) starts[value]! += starts[value + 1]!;
    const order = new Int32Array(most === 0 ? 0 : starts[0]!);
    await inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) if (reach[row]! > 0) order[starts[reach[row]!]!++] = row;
    });
    return order;
  }
}
