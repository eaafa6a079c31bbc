import { type Annotation, SHAPE_KINDS } from '../../../common/engine/annotations/annotation';
import type { AttributeColumns } from '../../../common/engine/annotations/attribute-columns';
import type { ReadShapes, Segment, SegmentColumns } from '../../../common/engine/annotations/segment';
import { LabelOrder } from './domain/label-order';
import type { MediaIds } from './domain/media-ids';

/** In the column of kinds. */
export const LABEL_KIND = SHAPE_KINDS.indexOf('label');

/** What filters need to know about annotations. */
export type AnnotationColumns = AttributeColumns &
  Pick<SegmentColumns, 'firsts' | 'labels' | 'kinds' | 'confidences' | 'areas' | 'flags'>;

/** What a source says about some pictures, numbered from 0. */
export interface SourcePart {
  readonly id: string;
  readonly pictures: number;
  readonly bytes: number;
  readonly columns: AnnotationColumns;
  /** The names of the labels. */
  readonly labels: readonly string[];
  readonly byLabel: LabelOrder;
  /** The row of a picture in the version; -1 if it has none. */
  rowOf(picture: number, ids: MediaIds): number;
  annotationsOf(pictures: readonly number[]): Promise<Annotation[][]>;
  /** The same as JSON, as it is stored. */
  textsOf(pictures: readonly number[]): Promise<Buffer[]>;
  /** How many bytes of JSON a picture has, or about how many. */
  textBytesOf(picture: number): number;
  /** Whether another part is known to say the same about a picture of its own. If not, the annotations have to be compared. */
  saysSame(picture: number, other: SourcePart, otherPicture: number): boolean;
}

/** A file of annotations. */
export class FilePart implements SourcePart {
  readonly byLabel: LabelOrder;

  constructor(
    readonly id: string,
    private readonly segment: Segment,
    private readonly read: ReadShapes,
  ) {
    this.byLabel = new LabelOrder(segment.columns, segment.labels.length);
  }

  get pictures(): number {
    return this.segment.pictures;
  }

  get bytes(): number {
    return this.segment.bytes + this.byLabel.bytes;
  }

  get columns(): AnnotationColumns {
    return this.segment.columns;
  }

  get labels(): readonly string[] {
    return this.segment.labels;
  }

  rowOf(picture: number, ids: MediaIds): number {
    return ids.rowOf(this.segment.columns.ids, picture);
  }

  annotationsOf(pictures: readonly number[]): Promise<Annotation[][]> {
    return this.segment.annotationsOf(pictures, this.read);
  }

  textsOf(pictures: readonly number[]): Promise<Buffer[]> {
    return this.segment.textsOf(pictures, this.read);
  }

  textBytesOf(picture: number): number {
    return this.segment.columns.lengths[picture]!;
  }

  saysSame(picture: number, other: SourcePart, otherPicture: number): boolean {
    return this.id === other.id && picture === otherPicture;
  }
}
