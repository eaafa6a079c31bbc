import { Inject, Injectable } from '@nestjs/common';
import type { Annotation } from '../../../common/engine/annotations/annotation';
import { SegmentBuilder } from '../../../common/engine/annotations/segment-builder';
import type { FileAnnotation } from '../../../common/engine/annotation-formats/file-picture';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { attemptName, type IndexingRun, type ProgressReporter, workPrefix } from '../../tables';
import {
  AnnotationFiles,
  AnnotationStateRepository,
  FILE_ANNOTATIONS,
  GROUND_TRUTH,
  isSourceOfTable,
  NO_SHAPES,
  SourceAnnotations,
  sourceNamed,
  VersionOpener,
  withSource,
  type AnnotationSource,
  type OpenedVersion,
  type PlacedSource,
  type SegmentRecord,
} from '../../versions';
import { DatasetWriter, type DatasetPointer } from '../../datasets';
import { MAX_SOURCES, newSource, withCounts } from '../change-source.use-case';
import { MAX_NAMES, type Unmatched } from '../domain/annotation';
import { changedPicture, type Edit, type SourceMode } from '../domain/source-change';
import { SourceOfTableError, TooManySourcesError } from '../domain/source-errors';
import { inPixels } from '../domain/in-pixels';
import { PictureRows } from '../files/picture-rows';
import { SortedPictures, type PictureOfRow } from '../files/sorted-pictures';
import { CountedFaults, SourceFilePieces } from '../files/source-file-pieces';
import { PicturesNamed } from '../pictures-named';
import { givenFileKey, type SourceImport } from './given-annotations';

const MOST_OF_A_PICTURE = 50_000;

export interface ImportedSource {
  /** Undefined if nothing has changed. */
  readonly sources: readonly AnnotationSource[] | undefined;
  /** The new files of the state. */
  readonly files: readonly string[];
  readonly unmatched: Unmatched;
  readonly warnings: readonly string[];
}

interface Base {
  readonly version: OpenedVersion;
  readonly source: AnnotationSource;
  readonly placed: PlacedSource | undefined;
}

interface Act {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
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
    private readonly states: AnnotationStateRepository,
    private readonly writer: DatasetWriter,
  ) {}

  async run(
    run: IndexingRun,
    pointer: DatasetPointer,
    asked: SourceImport,
    by: string,
    progress: ProgressReporter,
  ): Promise<ImportedSource> {
    const { sources: before } = await this.annotations.stateOf(pointer);
    if (sourceNamed(before, asked.source) === undefined && before.length >= MAX_SOURCES)
      throw new PermanentJobError(new TooManySourcesError(MAX_SOURCES).message);
    if (asked.source !== GROUND_TRUTH && isSourceOfTable(pointer, asked.source))
      throw new PermanentJobError(new SourceOfTableError(asked.source).message);
    using version = await this.versions.open(pointer);
    const sorted = new SortedPictures(this.store, `${workPrefix(run.taskId)}sorted-${attemptName(run.context)}`);
    progress.report(1, 'Reading annotation files');
    const { unmatched, warnings } = await this.sort(run, version, asked, sorted);
    if (unmatched.count === unmatched.total) return { sources: undefined, files: [], unmatched, warnings };
    progress.report(50, 'Writing annotations');
    const act = { by, at: new Date().toISOString() };
    const placed = await this.annotations.open(pointer, version.table, asked.source);
    const base = { version, placed, source: placed?.source ?? newSource(asked, act.at) };
    const source = await this.write(run, base, asked.mode, sorted, act);
    failpoint('annotations-written');
    const files = source.segments
      .map(({ id }) => id)
      .filter((id) => !base.source.segments.some((own) => own.id === id));
    return { sources: withSource(before, source.name, source), files, unmatched, warnings };
  }

  /** In the transaction that ends the task. */
  async publish(datasetId: string, sources: readonly AnnotationSource[], files: readonly string[]): Promise<void> {
    await this.files.keep(files);
    await this.writer.publishAnnotations(datasetId, await this.states.insert(sources));
  }

  private async sort(
    { taskId, context }: IndexingRun,
    version: OpenedVersion,
    { format, files }: SourceImport,
    sorted: SortedPictures,
  ): Promise<Pick<ImportedSource, 'unmatched' | 'warnings'>> {
    const rows = await PictureRows.of(version);
    const faults = new CountedFaults();
    const unmatched = new UnmatchedNames();
    const given = files.map(({ name }, at) => ({ name, source: storeSource(givenFileKey(taskId, at)) }));
    for await (const piece of this.pieces.read({ format, files: given })) {
      context.signal.throwIfAborted();
      for (const fault of piece.faults) faults.add(fault);
      for (const { path, annotations } of piece.pictures) {
        unmatched.total += annotations.length;
        const row = rows.find(path);
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
    return { unmatched: unmatched.result, warnings };
  }

  private async write(
    { context }: IndexingRun,
    base: Base,
    mode: SourceMode,
    sorted: SortedPictures,
    act: Act,
  ): Promise<AnnotationSource> {
    const replaces = mode === 'replace';
    let counts = replaces ? NO_SHAPES : base.source.counts;
    const written: SegmentRecord[] = [];
    const given = new Uint8Array(base.version.table.rows);
    let builder = new SegmentBuilder();
    let size = 0;
    const end = async (): Promise<void> => {
      if (size === 0) return;
      const built = await builder.build();
      const { pictures, annotations } = built.segment;
      written.push({ id: await this.files.write(built), pictures, annotations, replaced: [] });
      await this.files.keep(written.map(({ id }) => id));
      [builder, size] = [new SegmentBuilder(), 0];
    };
    const ids = await this.annotations.idsOf(base.version.table);
    for await (const batch of sorted.batches()) {
      context.signal.throwIfAborted();
      const lists = await this.changed(base, batch, mode, act);
      for (const [at, { row }] of batch.entries()) {
        const { before, after } = lists[at]!;
        given[row] = 1;
        counts = withCounts(replaces ? counts : withCounts(counts, before, -1), after, 1);
        await builder.add(ids.idOf(row), after);
        size += after.length + 1;
      }
      if (size >= FILE_ANNOTATIONS) await end();
    }
    for (const row of replaces ? await rowsToEmpty(base, given) : []) {
      await builder.add(ids.idOf(row), []);
      size += 1;
    }
    await end();
    return { ...base.source, counts, segments: replaces ? written : [...base.source.segments, ...written] };
  }

  private async changed(
    { version, placed }: Base,
    batch: readonly PictureOfRow[],
    mode: SourceMode,
    act: Act,
  ): Promise<{ readonly before: readonly Annotation[]; readonly after: readonly Annotation[] }[]> {
    const rows = batch.map(({ row }) => row);
    const given = batch.map(({ annotations }) => JSON.parse(annotations) as FileAnnotation[]);
    const inFractions = rows.filter((_, at) => given[at]!.some(({ unit }) => unit === 'fractions'));
    const sizes = await this.pictures.sizesOf(version, inFractions);
    const before = mode === 'replace' ? undefined : await placed?.annotationsOf(rows);
    return rows.map((row, at) => {
      const own = given[at]!;
      if (own.length > MOST_OF_A_PICTURE)
        throw new PermanentJobError(
          `A picture is given ${own.length} annotations, and ${MOST_OF_A_PICTURE} is the limit.`,
        );
      const edits = own.map((each) => editOf(inPixels(each, sizes.get(row)), mode));
      const known = before?.[at] ?? [];
      return { before: known, after: changedPicture(known, { edits, replaces: false }, act).annotations };
    });
  }
}

function editOf(given: Omit<FileAnnotation, 'unit'>, mode: SourceMode): Edit {
  if (mode === 'delete') return { kind: 'remove', given };
  return { kind: mode === 'merge' ? 'merge' : 'add', given };
}

/** What the table itself says about pictures is replaced by empty lists. */
async function rowsToEmpty({ source, placed }: Base, given: Uint8Array): Promise<Int32Array> {
  if (source.createdAt !== null || placed === undefined) return new Int32Array(0);
  return (await placed.countedRows()).rows.filter((row) => given[row] === 0);
}
