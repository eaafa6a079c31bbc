import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import type { SegmentColumns } from '../../../../common/engine/annotations/segment';

/** They are written far apart, which takes longer than reading. */
const PLACED_AT_ONCE = 2 ** 16;

/** Some annotations of a part, ascending, with what most filters need of each. */
export interface LabelledAnnotations {
  readonly annotations: Int32Array;
  /** The picture of each. */
  readonly pictures: Int32Array;
  /** Of each, rounded. */
  readonly confidences: Float32Array;
}

interface Ordered extends LabelledAnnotations {
  /** Where the annotations of each label begin; one more than labels. */
  readonly starts: Int32Array;
}

/** The annotations of a part by their labels, put in order when they are first asked for: those of a label are far apart in the columns. */
export class LabelOrder {
  private made: Promise<Ordered> | undefined;

  constructor(
    private readonly columns: Pick<SegmentColumns, 'firsts' | 'labels' | 'confidences'>,
    private readonly names: number,
  ) {}

  get bytes(): number {
    return 3 * this.columns.labels.byteLength + (this.names + 1) * Int32Array.BYTES_PER_ELEMENT;
  }

  /** The annotations with a label, by its number. */
  async with(label: number): Promise<LabelledAnnotations> {
    const { starts, annotations, pictures, confidences } = await (this.made ??= this.ordered());
    const [start, end] = [starts[label], starts[label + 1]];
    return {
      annotations: annotations.subarray(start, end),
      pictures: pictures.subarray(start, end),
      confidences: confidences.subarray(start, end),
    };
  }

  private async ordered(): Promise<Ordered> {
    const { firsts, labels, confidences: exact } = this.columns;
    const starts = new Int32Array(this.names + 1);
    await inSlices(labels.length, (from, to) => {
      for (let at = from; at < to; at++) starts[labels[at]! + 1]!++;
    });
    for (let label = 0; label < this.names; label++) starts[label + 1]! += starts[label]!;
    const next = starts.slice();
    const annotations = new Int32Array(labels.length);
    const pictures = new Int32Array(labels.length);
    const confidences = new Float32Array(labels.length);
    let picture = 0;
    await inSlices(
      labels.length,
      (from, to) => {
        for (let at = from; at < to; at++) {
          while (firsts[picture + 1]! <= at) picture++;
          const place = next[labels[at]!]!++;
          annotations[place] = at;
          pictures[place] = picture;
          confidences[place] = exact[at]!;
        }
      },
      PLACED_AT_ONCE,
    );
    return { starts, annotations, pictures, confidences };
  }
}
