import { inSlices } from '../../domain/in-slices';
import type { Crowds } from './crowds';
import type { NeighbourLists } from './neighbour-lists';
import { Pace } from './pace';

const NONE = -1;

/**
 * Groups rows around centres. Whoever has the most neighbours goes first, of equals the lowest row, and takes all of its
 * neighbours that are still free. Who is left alone then, though it has neighbours, gets the nearest of them as a centre.
 */
export class StarGroups {
  private readonly centreOf: Int32Array;
  /** By centre, copies counted. */
  private readonly sizes: Int32Array;
  private readonly pace = new Pace();

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
    for (const row of order) {
      const pause = this.pace.after(64 + this.lists.degree(row));
      if (pause !== undefined) await pause;
      if (this.centreOf[row] === NONE) await this.gather(row);
    }
    await inSlices(this.centreOf.length, (from, to) => {
      for (let row = from; row < to; row++)
        if (this.centreOf[row] === NONE && this.lists.degree(row) > 0) this.rescue(row);
    });
    return this.centreOf;
  }

  private async gather(centre: number): Promise<void> {
    const { lists, crowds } = this;
    const free: number[] = [];
    for (let place = lists.start(centre); place < lists.end(centre); place++)
      if (this.centreOf[lists.at(place)] === NONE) free.push(lists.at(place));
    if (crowds !== undefined)
      for (const other of await crowds.beyond(centre)) if (this.centreOf[other] === NONE) free.push(other);
    if (free.length === 0 && this.copies[centre]! < 2) return;
    this.put(centre, centre);
    for (const member of free) this.put(member, centre);
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
