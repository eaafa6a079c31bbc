import { inSlices } from '../../../../common/platform/concurrency/in-slices';

interface Ordered {
  /** Where the annotations of each label begin; one more than labels. */
  readonly starts: Int32Array;
  readonly annotations: Int32Array;
}

/** The annotations of a part by their labels, put in order when they are first asked for. */
export class LabelOrder {
  private made: Promise<Ordered> | undefined;

  /** By annotation: the number of its label. */
  constructor(
    private readonly labels: Int32Array,
    private readonly names: number,
  ) {}

  get bytes(): number {
    return this.labels.byteLength + (this.names + 1) * Int32Array.BYTES_PER_ELEMENT;
  }

  /** The annotations with any of the labels, ascending. */
  async with(labels: readonly number[]): Promise<Int32Array> {
    const { starts, annotations } = await (this.made ??= this.ordered());
    const lists = labels.map((label) => annotations.subarray(starts[label], starts[label + 1]));
    if (lists.length === 1) return lists[0]!;
    const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const list of lists) {
      all.set(list, end);
      end += list.length;
    }
    return all.sort();
  }

  private async ordered(): Promise<Ordered> {
    const { labels } = this;
    const starts = new Int32Array(this.names + 1);
    await inSlices(labels.length, (from, to) => {
      for (let at = from; at < to; at++) starts[labels[at]! + 1]!++;
    });
    for (let label = 0; label < this.names; label++) starts[label + 1]! += starts[label]!;
    const next = starts.slice();
    const annotations = new Int32Array(labels.length);
    await inSlices(labels.length, (from, to) => {
      for (let at = from; at < to; at++) annotations[next[labels[at]!]!++] = at;
    });
    return { starts, annotations };
  }
}
