import type { Annotation } from '../../common/engine/annotations/annotation';
import { SegmentBuilder } from '../../common/engine/annotations/segment-builder';
import { totalled, type SourceTotals } from '../events';
import {
  type AnnotationFiles,
  mergedWith,
  sourceNamed,
  type SourceAnnotations,
  withSource,
  type AnnotationSource,
  type OpenedVersion,
  type SegmentRecord,
  type ShapeCounts,
} from '../versions';

export const NOTHING = { added: 0, changed: 0, removed: 0 };

export const sumOf = (counts: ShapeCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** All that a source says about one picture. */
export interface PictureList {
  readonly row: number;
  readonly id: string;
  readonly annotations: readonly Annotation[];
}

/** What sources say about a version while changes are made to them. Nothing is written until the end. */
export class AnnotationDraft {
  /** By source and row. */
  private readonly lists = new Map<string, ReadonlyMap<number, PictureList>>();
  private readonly changes: SourceTotals[] = [];
  private now: readonly AnnotationSource[];

  constructor(
    readonly version: OpenedVersion,
    private readonly before: readonly AnnotationSource[],
    private readonly annotations: SourceAnnotations,
    private readonly files: AnnotationFiles,
  ) {
    this.now = before;
  }

  get sources(): readonly AnnotationSource[] {
    return this.now;
  }

  get isChanged(): boolean {
    return this.now !== this.before;
  }

  async annotationsOf(source: AnnotationSource, rows: readonly number[]): Promise<(readonly Annotation[])[]> {
    const own = this.lists.get(source.name);
    const others = own === undefined ? rows : rows.filter((row) => !own.has(row));
    const placed = await this.annotations.place(source, this.version.pointer, this.version.table);
    const written = await placed.annotationsOf(others);
    let at = 0;
    return rows.map((row) => own?.get(row)?.annotations ?? written[at++]!);
  }

  get totals(): SourceTotals[] {
    return totalled(this.changes);
  }

  /** The lists replace what the source says about their pictures. */
  put(source: AnnotationSource, lists: readonly PictureList[], totals: Omit<SourceTotals, 'source'>): void {
    this.now = withSource(this.now, source.name, source);
    const own = this.lists.get(source.name) ?? new Map<number, PictureList>();
    this.lists.set(source.name, new Map([...own, ...lists.map((list) => [list.row, list] as const)]));
    this.changes.push({ source: source.name, ...totals });
  }

  remove({ name, counts }: AnnotationSource): void {
    this.now = withSource(this.now, name, undefined);
    this.lists.delete(name);
    this.changes.push({ source: name, ...NOTHING, removed: sumOf(counts) });
  }

  /** Takes other files that say the same; nothing if the source does not have them any more. */
  replaceFiles(name: string, files: readonly SegmentRecord[], by: readonly SegmentRecord[]): void {
    const source = sourceNamed(this.now, name);
    if (source === undefined) return;
    const first = source.segments.findIndex(({ id }) => id === files[0]!.id);
    if (first < 0 || files.some(({ id }, at) => source.segments[first + at]?.id !== id)) return;
    const segments = source.segments.toSpliced(first, files.length, ...by);
    this.now = withSource(this.now, name, { ...source, segments });
  }

  rename(source: AnnotationSource, to: string): AnnotationSource {
    const renamed = { ...source, name: to };
    const lists = [...(this.lists.get(source.name)?.values() ?? [])];
    this.remove(source);
    this.put(renamed, lists, { ...NOTHING, added: sumOf(source.counts) });
    return renamed;
  }

  /** The sources with all lists in files. */
  async written(): Promise<readonly AnnotationSource[]> {
    return Promise.all(
      this.now.map(async (source) => {
        const lists = [...(this.lists.get(source.name)?.values() ?? [])].sort((a, b) => a.row - b.row);
        return lists.length === 0 ? source : { ...source, segments: await this.appended(source.segments, lists) };
      }),
    );
  }

  /** Writes the lists with those of the latest files that are not much larger. */
  private async appended(segments: readonly SegmentRecord[], lists: readonly PictureList[]): Promise<SegmentRecord[]> {
    const size = lists.reduce((sum, { annotations }) => sum + annotations.length + 1, 0);
    const kept = segments.length - mergedWith(segments, size);
    const taken = segments.slice(kept);
    const builder = new SegmentBuilder();
    for (const { id, annotations } of lists) await builder.add(id, annotations);
    const rows = lists.map(({ row }) => row);
    for await (const block of this.annotations.latestOf(taken, this.version.table, rows)) await builder.copy(block);
    const built = await builder.build();
    const { segment } = built;
    const id = await this.files.write(built);
    this.annotations.keep(id, built);
    const replaced = taken.map((file) => file.id);
    return [...segments.slice(0, kept), { id, pictures: segment.pictures, size: segment.size, replaced }];
  }
}
