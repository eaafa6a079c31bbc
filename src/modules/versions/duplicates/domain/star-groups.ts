import { setImmediate } from 'node:timers/promises';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import type { DenseRegions } from './dense-regions';
import type { NeighbourLists } from './neighbour-lists';

const NONE = -1;
/** Rows handled before yielding: a few milliseconds of work. */
const ROWS_AT_ONCE = 2 ** 15;
const NO_NEIGHBOURS: readonly number[] = [];

/**
 * Groups rows around centres, greedily: the row with the most neighbours (the lowest of equals) becomes the next centre and claims all
 * its free neighbours. A row that is left alone although it has neighbours joins the nearest of them.
 */
export class StarGroups {
  private readonly centreOf: Int32Array;
  /** Group sizes by centre, including copies. */
  private readonly sizes: Int32Array;

  constructor(
    private readonly lists: NeighbourLists,
    private readonly copies: Int32Array,
    private readonly denseRegions: DenseRegions | undefined,
  ) {
    this.centreOf = new Int32Array(copies.length).fill(NONE);
    this.sizes = new Int32Array(copies.length);
  }

  /** The centre of each row (of a centre, itself); negative for rows without a group. */
  async centres(): Promise<Int32Array> {
    const order = await this.byNeighbours();
    let at = this.claimFrom(order, 0);
    while (at < order.length) {
      const row = order[at]!;
      const unlisted = this.centreOf[row] === NONE ? this.denseRegions?.unlistedNeighbours(row) : undefined;
      if (unlisted === undefined) {
        await setImmediate();
      } else {
        this.claimNeighbours(row, await unlisted);
        at += 1;
      }
      at = this.claimFrom(order, at);
    }
    await inSlices(this.centreOf.length, (from, to) => {
      for (let row = from; row < to; row++)
        if (this.centreOf[row] === NONE && this.lists.degree(row) > 0) this.joinNearest(row);
    });
    return this.centreOf;
  }

  /** Continues from `start` up to a row in a dense region, whose neighbours are found asynchronously, or until it is time to yield. */
  private claimFrom(order: Int32Array, start: number): number {
    const end = Math.min(order.length, start + ROWS_AT_ONCE);
    for (let at = start; at < end; at++) {
      const row = order[at]!;
      if (this.centreOf[row] !== NONE) continue;
      if (this.denseRegions?.contains(row) === true) return at;
      this.claimNeighbours(row, NO_NEIGHBOURS);
    }
    return end;
  }

  /** `unlisted` are neighbours missing from the list. */
  private claimNeighbours(centre: number, unlisted: readonly number[]): void {
    const { lists } = this;
    if (this.copies[centre]! > 1) this.assign(centre, centre);
    for (let place = lists.start(centre); place < lists.end(centre); place++) this.claim(lists.at(place), centre);
    for (const other of unlisted) this.claim(other, centre);
  }

  private claim(row: number, centre: number): void {
    if (this.centreOf[row] !== NONE) return;
    if (this.centreOf[centre] === NONE) this.assign(centre, centre);
    this.assign(row, centre);
  }

  /** All its neighbours are members of other groups: the nearest becomes a centre, with the rest of its group if that was a pair. */
  private joinNearest(row: number): void {
    const leader = this.lists.nearest(row);
    const before = this.centreOf[leader]!;
    if (before !== leader) {
      const isPair = this.sizes[before] === this.copies[leader]! + 1;
      this.sizes[before] = isPair ? 0 : this.sizes[before]! - this.copies[leader]!;
      this.assign(leader, leader);
      if (isPair) this.assign(before, leader);
    }
    this.assign(row, leader);
  }

  private assign(row: number, centre: number): void {
    this.centreOf[row] = centre;
    this.sizes[centre]! += this.copies[row]!;
  }

  /** Rows that have neighbours or copies, by falling number of both: a counting sort. */
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
