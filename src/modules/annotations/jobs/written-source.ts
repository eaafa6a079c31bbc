import type { Annotation } from '../../../common/engine/annotations/annotation';
import { SegmentBuilder } from '../../../common/engine/annotations/segment-builder';
import type { Skeleton } from '../../../common/engine/annotation-formats/file-picture';
import { mergedSkeletons } from '../../../common/engine/annotation-formats/skeletons';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import type { SourceTotals } from '../../events';
import { FILE_ANNOTATIONS, type AnnotationFiles, type AnnotationSource, type SegmentRecord } from '../../versions';
import type { SourceMode } from '../domain/source-change';

/** A source with the annotations of files, which no state names yet. */
export interface WrittenSource {
  readonly mode: SourceMode;
  /** The media that the annotations are about. */
  readonly table: TableVersion;
  /** The source as it was read; without files and annotations if it was not there. */
  readonly before: AnnotationSource;
  readonly source: AnnotationSource;
  readonly totals: Omit<SourceTotals, 'source'>;
}

export const withSkeletons = (source: AnnotationSource, later: readonly Skeleton[] = []): AnnotationSource =>
  later.length === 0 ? source : { ...source, skeletons: mergedSkeletons(source.skeletons ?? [], later) };

/** The files of a source that it did not have before. */
export function filesAfter(before: AnnotationSource, { segments }: AnnotationSource): readonly SegmentRecord[] {
  const known = new Set(before.segments.map(({ id }) => id));
  return segments.filter(({ id }) => !known.has(id));
}

/** Writes what a source says about pictures into files of bounded size. */
export class SourceFilesWriter {
  readonly written: SegmentRecord[] = [];
  private builder = new SegmentBuilder();

  /** Sweeps keep the other files meanwhile. */
  constructor(
    private readonly files: AnnotationFiles,
    private readonly others: readonly SegmentRecord[],
  ) {}

  async add(mediaId: string, annotations: readonly Annotation[]): Promise<void> {
    await this.builder.add(mediaId, annotations);
    if (this.builder.size >= FILE_ANNOTATIONS) await this.end();
  }

  async end(): Promise<void> {
    if (this.builder.size === 0) return;
    const built = await this.builder.build();
    const { pictures, size } = built.segment;
    this.written.push({ id: await this.files.write(built), pictures, size, replaced: [] });
    await this.files.keep([...this.others, ...this.written].map(({ id }) => id));
    this.builder = new SegmentBuilder();
  }
}
