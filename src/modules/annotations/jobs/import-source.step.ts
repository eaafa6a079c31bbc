import { Inject, Injectable } from '@nestjs/common';
import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { FileAnnotation, Skeleton } from '../../../common/engine/annotation-formats/file-picture';
import { mergedSkeletons } from '../../../common/engine/annotation-formats/skeletons';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { attemptName, type IndexingRun, type ProgressReporter, workPrefix } from '../../tables';
import {
  AnnotationFiles,
  GROUND_TRUTH,
  isSourceOfTable,
  NO_SHAPES,
  SourceAnnotations,
  VersionOpener,
  type AnnotationSource,
  type OpenedVersion,
  type PlacedSource,
} from '../../versions';
import { DatasetReader, type DatasetPointer } from '../../datasets';
import { sumOf } from '../annotation-draft';
import { newSource } from '../change-source.use-case';
import { withCounts } from '../changed-lists';
import { MAX_NAMES, type Unmatched } from '../domain/annotation';
import { changedPicture, type Act, type ChangedPicture, type Edit, type SourceMode } from '../domain/source-change';
import { SourceOfTableError } from '../domain/source-errors';
import { inPixels } from '../domain/in-pixels';
import { FrameRows } from '../files/frame-rows';
import { PictureRows } from '../files/picture-rows';
import { SortedPictures, type PictureOfRow } from '../files/sorted-pictures';
import { CountedFaults, SourceFilePieces } from '../files/source-file-pieces';
import { PicturesNamed } from '../pictures-named';
import { givenFileKey, type SourceImport } from './source-import';
import { filesAfter, SourceFilesWriter, withSkeletons, type WrittenSource } from './written-source';

const MOST_OF_A_PICTURE = 50_000;

const repeatedIds = (annotations: readonly FileAnnotation[]): number => {
  const ids = annotations.flatMap(({ id }) => id ?? []);
  return ids.length - new Set(ids).size;
};

export interface ImportedSource {
  /** Undefined if nothing has changed. */
  readonly written: WrittenSource | undefined;
  readonly unmatched: Unmatched;
  readonly warnings: readonly string[];
}

interface Base {
  readonly version: OpenedVersion;
  readonly source: AnnotationSource;
  readonly placed: PlacedSource | undefined;
  /** What the media table says of the source. */
  readonly ofTable: PlacedSource | undefined;
  readonly mode: SourceMode;
  readonly act: Act;
  readonly skeletons: readonly Skeleton[];
}

/** Names that match no picture. */
class UnmatchedNames {
  total = 0;
  private count = 0;
  private readonly names = new Set<string>();

  add(name: string, annotations: number): void {
    this.count += annotations;
    if (this.names.size < MAX_NAMES) this.names.add(name);
  }

  get result(): Unmatched {
    return { names: [...this.names], count: this.count, total: this.total };
  }
}

/** Reads annotation files into a source: writes its files, which nothing shows before the state is published. */
@Injectable()
export class ImportSourceStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly pieces: SourceFilePieces,
    private readonly versions: VersionOpener,
    private readonly annotations: SourceAnnotations,
    private readonly files: AnnotationFiles,
    private readonly pictures: PicturesNamed,
    private readonly datasets: DatasetReader,
  ) {}

  async run(
    run: IndexingRun,
    pointer: DatasetPointer,
    asked: SourceImport,
    act: Act,
    progress: ProgressReporter,
  ): Promise<ImportedSource> {
    if (asked.source !== GROUND_TRUTH && isSourceOfTable(pointer, asked.source))
      throw new PermanentJobError(new SourceOfTableError(asked.source).message);
    using version = await this.versions.open(pointer);
    const sorted = new SortedPictures(this.store, `${workPrefix(run.taskId)}sorted-${attemptName(run.context)}`);
    progress.report(1, 'Reading annotation files');
    const { unmatched, warnings, skeletons } = await this.sort(run, version, asked, sorted);
    if (unmatched.count === unmatched.total) return { written: undefined, unmatched, warnings };
    progress.report(50, 'Writing annotations');
    // People may have changed the source since; files that only earlier states name are removed after some time.
    const latest = (await this.datasets.get(run.datasetId)).pointer ?? pointer;
    const placed = await this.annotations.open(latest, version.table, asked.source);
    const source = placed?.source ?? newSource(asked, act.at);
    const ofTable = placed && (await this.annotations.place({ ...source, segments: [] }, latest, version.table));
    const base = { version, placed, ofTable, source, mode: asked.mode, act, skeletons };
    const { written, repeated } = await this.write(run, base, sorted);
    const left =
      repeated === 0
        ? []
        : [`${repeated} annotations are left out: their picture has others with the same ids before them.`];
    return { written, unmatched, warnings: [...warnings, ...left] };
  }

  /** In the transaction that publishes the files. */
  async keep({ before, source }: WrittenSource): Promise<void> {
    await this.files.keep(filesAfter(before, source).map(({ id }) => id));
  }

  private async sort(
    { taskId, context }: IndexingRun,
    version: OpenedVersion,
    { format, files }: SourceImport,
    sorted: SortedPictures,
  ): Promise<Pick<ImportedSource, 'unmatched' | 'warnings'> & Pick<Base, 'skeletons'>> {
    const rows = await PictureRows.of(version);
    let frames: FrameRows | undefined;
    let skeletons: readonly Skeleton[] = [];
    const faults = new CountedFaults();
    const unmatched = new UnmatchedNames();
    const given = files.map(({ name }, at) => ({ name, source: storeSource(givenFileKey(taskId, at)) }));
    for await (const piece of this.pieces.read({ format, files: given })) {
      context.signal.throwIfAborted();
      for (const fault of piece.faults) faults.add(fault);
      skeletons = mergedSkeletons(skeletons, piece.skeletons);
      for (const { path, frame, annotations } of piece.pictures) {
        unmatched.total += annotations.length;
        let row = rows.find(path);
        if (row < 0 && frame !== undefined) row = (frames ??= await FrameRows.of(version)).find(frame);
        if (row < 0) unmatched.add(path, annotations.length);
        else await sorted.add(row, annotations);
      }
    }
    const { warnings } = faults;
    if (unmatched.total === 0)
      throw new PermanentJobError(
        [
          'There is no annotation in',
          files
            .map(({ name }) => name)
            .join(', ')
            .slice(0, 300) + '.',
          ...warnings,
        ].join(' '),
      );
    return { unmatched: unmatched.result, warnings, skeletons };
  }

  private async write(
    { context }: IndexingRun,
    base: Base,
    sorted: SortedPictures,
  ): Promise<{ readonly written: WrittenSource; readonly repeated: number }> {
    const { version, mode, source: before } = base;
    const replaces = mode === 'replace';
    const totals = { added: 0, changed: 0, removed: replaces ? sumOf(before.counts) : 0 };
    let counts = replaces ? NO_SHAPES : before.counts;
    let repeated = 0;
    const given = new Uint8Array(version.table.rows);
    const writer = new SourceFilesWriter(this.files, before.segments);
    const ids = await this.annotations.idsOf(version.table);
    for await (const batch of sorted.batches()) {
      context.signal.throwIfAborted();
      const pictures = await this.changed(base, batch);
      for (const [at, { row }] of batch.entries()) {
        const { known, after, repeated: own } = pictures[at]!;
        repeated += own;
        given[row] = 1;
        // A list in a file replaces what people change in its picture meanwhile.
        if (!replaces && after.added + after.changed + after.removed === 0) continue;
        counts = withCounts(withCounts(counts, known, -1), after.annotations, 1);
        for (const what of ['added', 'changed', 'removed'] as const) totals[what] += after[what];
        await writer.add(ids.idOf(row), after.annotations);
      }
    }
    for (const row of replaces ? await rowsToEmpty(base, given) : []) await writer.add(ids.idOf(row), []);
    await writer.end();
    const segments = replaces ? writer.written : [...before.segments, ...writer.written];
    const source = withSkeletons({ ...before, counts, segments }, base.skeletons);
    return { written: { mode, table: version.table.at, before, source, totals }, repeated };
  }

  private async changed(
    { version, placed, mode, act }: Base,
    batch: readonly PictureOfRow[],
  ): Promise<{ readonly known: readonly Annotation[]; readonly after: ChangedPicture; readonly repeated: number }[]> {
    const rows = batch.map(({ row }) => row);
    const given = batch.map(({ annotations }) => JSON.parse(annotations) as FileAnnotation[]);
    const ofSize = rows.filter((_, at) =>
      given[at]!.some(({ unit, mask }) => unit === 'fractions' || mask !== undefined),
    );
    const sizes = await this.pictures.sizesOf(version, ofSize);
    const before = mode === 'replace' ? undefined : await placed?.annotationsOf(rows);
    return rows.map((row, at) => {
      const own = given[at]!;
      if (own.length > MOST_OF_A_PICTURE)
        throw new PermanentJobError(
          `A picture is given ${own.length} annotations, and ${MOST_OF_A_PICTURE} is the limit.`,
        );
      const edits = own.map((each) => editOf(inPixels(each, sizes.get(row)), mode));
      const known = before?.[at] ?? [];
      const repeated = mode === 'add' || mode === 'replace' ? repeatedIds(own) : 0;
      return { known, after: changedPicture(known, { edits, replaces: false }, act), repeated };
    });
  }
}

function editOf(given: Omit<FileAnnotation, 'unit'>, mode: SourceMode): Edit {
  if (mode === 'delete') return { kind: 'remove', given };
  return { kind: mode === 'merge' ? 'merge' : 'add', given };
}

/** What the table itself says about pictures is replaced by empty lists. */
async function rowsToEmpty({ ofTable }: Base, given: Uint8Array): Promise<Int32Array> {
  if (ofTable === undefined) return new Int32Array(0);
  return (await ofTable.countedRows()).rows.filter((row) => given[row] === 0);
}
