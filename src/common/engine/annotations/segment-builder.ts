import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import { type Annotation, SHAPE_KINDS, shapeKindOf } from './annotation';
import { AttributesBuilder, sizeOfTexts } from './attribute-columns';
import { CROWD, ID_WORDS, IGNORED, inflated, putId, Segment, type StoredBlock } from './segment';
import { areaOf } from './shape-area';

/** A page needs few blocks, and an edit of scattered pictures reads little that it does not need. */
const BLOCK_BYTES = 8_192;

const deflate = promisify(deflateRaw);

export interface BuiltSegment {
  readonly segment: Segment;
  readonly shapes: Buffer;
}

/** Collects what a source says about pictures. */
export class SegmentBuilder {
  private readonly ids: number[] = [];
  private readonly firsts = [0];
  private readonly blocks: number[] = [];
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly labelOf = new Map<string, number>();
  private readonly labels: number[] = [];
  private readonly kinds: number[] = [];
  private readonly confidences: number[] = [];
  private readonly areas: number[] = [];
  private readonly flags: number[] = [];
  private readonly attributes = new AttributesBuilder();
  private readonly finished: Buffer[] = [];
  private texts: Buffer[] = [];
  private textBytes = 0;

  /** As of the segment. */
  get size(): number {
    return this.labels.length + this.lengths.length + sizeOfTexts(this.attributes.textBytes);
  }

  /** All annotations of a picture, none if it had some that were removed. Each picture once. */
  add(mediaId: string, annotations: readonly Annotation[]): Promise<void> | undefined {
    const words = new Uint32Array(ID_WORDS);
    putId(words, 0, mediaId);
    for (const annotation of annotations) this.describe(annotation);
    const text = Buffer.from(JSON.stringify(annotations));
    this.endPicture(words, this.textBytes, text.length);
    return this.addText(text);
  }

  /** What another file says about some pictures. */
  async copy(block: StoredBlock): Promise<void> {
    const { segment, pictures, bytes } = block;
    const { starts, lengths } = segment.columns;
    if (isFull(block)) {
      if (this.textBytes > 0) await this.endBlock();
      for (const picture of pictures) this.copyColumns(segment, picture, starts[picture]!);
      this.finished.push(bytes);
      return;
    }
    const text = await inflated(bytes);
    for (const picture of pictures) {
      this.copyColumns(segment, picture, this.textBytes);
      const ended = this.addText(text.subarray(starts[picture], starts[picture]! + lengths[picture]!));
      if (ended !== undefined) await ended;
    }
  }

  async build(): Promise<BuiltSegment> {
    if (this.textBytes > 0) await this.endBlock();
    const offsets = new Float64Array(this.finished.length + 1);
    this.finished.forEach(({ length }, at) => (offsets[at + 1] = offsets[at]! + length));
    const columns = {
      ids: Uint32Array.from(this.ids),
      firsts: Int32Array.from(this.firsts),
      blocks: Int32Array.from(this.blocks),
      starts: Int32Array.from(this.starts),
      lengths: Int32Array.from(this.lengths),
      labels: Int32Array.from(this.labels),
      kinds: Uint8Array.from(this.kinds),
      confidences: Float64Array.from(this.confidences),
      areas: Float64Array.from(this.areas),
      flags: Uint8Array.from(this.flags),
      offsets,
      ...this.attributes.build(),
    };
    return { segment: new Segment(columns, [...this.labelOf.keys()]), shapes: Buffer.concat(this.finished) };
  }

  private numberOf(label: string): number {
    let number = this.labelOf.get(label);
    if (number === undefined) this.labelOf.set(label, (number = this.labelOf.size));
    return number;
  }

  private describe(annotation: Annotation): void {
    const { label, confidence = NaN, crowd, ignored } = annotation;
    this.labels.push(this.numberOf(label));
    this.kinds.push(SHAPE_KINDS.indexOf(shapeKindOf(annotation)));
    this.confidences.push(confidence);
    this.areas.push(areaOf(annotation));
    this.flags.push((crowd === true ? CROWD : 0) | (ignored === true ? IGNORED : 0));
    this.attributes.add(annotation);
  }

  private copyColumns({ columns, labels }: Segment, picture: number, start: number): void {
    for (let at = columns.firsts[picture]!; at < columns.firsts[picture + 1]!; at++) {
      this.labels.push(this.numberOf(labels[columns.labels[at]!]!));
      this.kinds.push(columns.kinds[at]!);
      this.confidences.push(columns.confidences[at]!);
      this.areas.push(columns.areas[at]!);
      this.flags.push(columns.flags[at]!);
      this.attributes.copy(columns, at);
    }
    const words = columns.ids.subarray(picture * ID_WORDS, (picture + 1) * ID_WORDS);
    this.endPicture(words, start, columns.lengths[picture]!);
  }

  /** All its annotations are described. */
  private endPicture(id: Uint32Array, start: number, length: number): void {
    this.ids.push(id[0]!, id[1]!, id[2]!, id[3]!);
    this.blocks.push(this.finished.length);
    this.starts.push(start);
    this.lengths.push(length);
    this.firsts.push(this.labels.length);
  }

  private addText(text: Buffer): Promise<void> | undefined {
    this.texts.push(text);
    this.textBytes += text.length;
    return this.textBytes >= BLOCK_BYTES ? this.endBlock() : undefined;
  }

  private async endBlock(): Promise<void> {
    const text = Buffer.concat(this.texts);
    this.texts = [];
    this.textBytes = 0;
    this.finished.push(await deflate(text, { level: constants.Z_BEST_SPEED }));
  }
}

/** Whether all pictures of a block that is not small are wanted, so that its bytes can be copied. */
function isFull({ segment, pictures }: StoredBlock): boolean {
  const { blocks, starts, lengths } = segment.columns;
  const [first, last] = [pictures[0]!, pictures.at(-1)!];
  if (starts[last]! + lengths[last]! < BLOCK_BYTES || pictures.length !== last - first + 1) return false;
  return blocks[first - 1] !== blocks[first] && blocks[last + 1] !== blocks[last];
}
