import { Inject, Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { Dataset } from '../../datasets';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { jobStep } from '../../../common/platform/jobs/job-step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { unknownFileWarnings, type ReadAnnotations } from '../annotation-files/domain/read-annotations';
import { ChunkJournalRepository, type AnalyzedChunk } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import { ChunkRows, readChunk } from '../rows/chunk-rows';
import { attemptName, readFileList, workPrefix, partsOf, type ListedSource, type FilePart } from './file-list';
import type { IndexingRun, ProgressReporter } from '../runs/task-runner';
import { SharedAnnotations } from '../annotation-files/annotation-files';
import { AnalyzePart, type PartOwner, PART_ENGINE, type PartEngine } from './analyze-part';

/**
 * Analyses the files of a list in parts. A list of one part is analysed in this process, which is faster than distributing it; longer lists are
 * analysed by the engine.
 */
@Injectable()
export class AnalyzeFilesStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly journal: ChunkJournalRepository,
    private readonly analyzePart: AnalyzePart,
    @Inject(PART_ENGINE) private readonly engine: PartEngine,
  ) {}

  /** Starts slow preparations before the files are listed. */
  prepare(modelId: string): void {
    this.engine.prepare(modelId);
  }

  async run(run: IndexingRun, listed: ListedSource, modelId: string, onFiles: (done: number) => void): Promise<void> {
    const { taskId, context } = run;
    const owner = partOwner(run, listed, modelId);
    let done = sumOf(await this.journal.filesOf(taskId));
    const count = (files: number): void => onFiles((done += files));
    const first = await this.firstUnfinished(taskId, listed);
    if (first === undefined) return;
    if (first.files < listed.files) {
      await this.engine.analyze({
        run,
        owner,
        listed,
        unfinished: () => this.unfinished(taskId, listed),
        onFiles: count,
      });
      return;
    }
    await this.analyzePart.run(owner, first, listed, context, { onFile: () => count(1) });
  }

  private async firstUnfinished(taskId: string, listed: ListedSource): Promise<FilePart | undefined> {
    for await (const part of this.unfinished(taskId, listed)) return part;
    return undefined;
  }

  private async *unfinished(taskId: string, { key, partWeight }: ListedSource): AsyncGenerator<FilePart, undefined> {
    const journalled = await this.journal.filesOf(taskId);
    for await (const part of partsOf(this.store, key, partWeight)) if (!journalled.has(part.sequence)) yield part;
  }
}

const partOwner = (
  { datasetId, taskId, batchId }: IndexingRun,
  { key: listKey }: Pick<ListedSource, 'key'>,
  modelId: string,
): PartOwner => ({ datasetId, taskId, batchId, modelId, listKey });

const sumOf = (files: ReadonlyMap<number, number>): number =>
  [...files.values()].reduce((sum, count) => sum + count, 0);

/** Every file was read; analysing again changes nothing. */
const isWhole = ({ files, images, videos }: AnalyzedChunk): boolean => files === images + videos;

const rowsOf = ({ images, videos, frames, objects }: AnalyzedChunk): number => images + videos + frames + objects;

/** The parts that a retried task reuses from its earlier runs. */
@Injectable()
export class KeptParts {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly journal: ChunkJournalRepository,
    private readonly analyzePart: AnalyzePart,
  ) {}

  /** The parts of the new list for which an analysis would give the same rows. */
  async of(owner: PartOwner, listed: ListedSource): Promise<number[]> {
    const journalled = (await this.journal.list(owner.taskId)).filter(isWhole);
    if (journalled.length === 0) return [];
    const known = new Map(journalled.map((chunk) => [chunk.sequence, chunk]));
    const kept: number[] = [];
    for await (const part of partsOf(this.store, listed.key, listed.partWeight)) {
      const chunk = known.get(part.sequence);
      if (chunk === undefined || chunk.madeFrom === null) continue;
      if (chunk.madeFrom !== this.analyzePart.inputOf(owner, part, listed, '').madeFrom) continue;
      const rows = await readChunk(this.store, chunk.storeKey);
      if (rows?.length === rowsOf(chunk)) kept.push(part.sequence);
    }
    return kept;
  }
}

export interface IngestedFiles {
  readonly rows: ChunkRows;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

/** The parts of a list that need not be analysed again. */
type Keep<Listed> = (listed: Listed) => Promise<readonly number[]>;
const keepNone = (): Promise<readonly number[]> => Promise.resolve([]);

/** Turns a source into rows: lists the files once, analyses them, and stores the rows in chunks, from which a resumed run continues. */
@Injectable()
export class IngestFilesStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly annotations: SharedAnnotations,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly analyzeFiles: AnalyzeFilesStep,
    private readonly keptParts: KeptParts,
  ) {}

  /** `list` writes the files of the source to an object with this key. */
  async run(
    run: IndexingRun,
    list: (key: string) => Promise<ListedSource>,
    modelId: string,
    progress: ProgressReporter,
    { labelsFromFolders }: Pick<Dataset, 'labelsFromFolders'>,
  ): Promise<IngestedFiles> {
    // A resumed run may find that the store is still unavailable; compute children are not needed then.
    if (run.context.checkpoint() === null) {
      progress.report(0, 'Listing the source');
      this.analyzeFiles.prepare(modelId);
    }
    const listed = await this.listOnce(
      run,
      async (key) => ({ ...(await list(key)), labelsFromFolders }),
      (made) => this.keptParts.of(partOwner(run, made, modelId), made),
    );
    const annotations = await this.readAnnotations(listed);
    const unknown = await this.unknownFiles(annotations, listed);
    const rows = await this.analyse(run, listed, modelId, progress);
    if (rows.files === 0) await this.refuse(run.taskId, listed.files);
    return { rows, warnings: [...listed.warnings, ...annotations.warnings, ...rows.warnings, ...unknown] };
  }

  /**
   * `list` writes the files to an object with this key; a resumed run reuses the list. A retried task lists the source again, because it may have been
   * repaired, and reuses only the parts that `keep` returns.
   */
  async listOnce<Listed extends ListedSource>(
    run: IndexingRun,
    list: (key: string) => Promise<Listed>,
    keep: Keep<Listed> = keepNone,
  ): Promise<Listed> {
    const kept = run.context.checkpoint<Partial<Listed>>();
    // A list without a part weight was written by an earlier version, whose chunks are not parts.
    const listed =
      kept?.partWeight === undefined
        ? await jobStep('list-source', () => this.listAndCheckpoint(run, list, keep))
        : (kept as Listed);
    failpoint('listed');
    return listed;
  }

  readAnnotations(listed: ListedSource): Promise<ReadAnnotations> {
    return this.annotations.of(listed);
  }

  /** The rows of the readable files; may be empty. */
  async analyse(
    run: IndexingRun,
    listed: ListedSource,
    modelId: string,
    progress: ProgressReporter,
  ): Promise<ChunkRows> {
    await jobStep('analyze-files', () =>
      this.analyzeFiles.run(run, listed, modelId, (done) => {
        progress.report(2 + (78 * done) / listed.files, `Analysed ${done} of ${listed.files} files`);
      }),
    );
    this.annotations.forget(listed);
    return new ChunkRows(this.store, await this.journal.list(run.taskId), run.context.signal);
  }

  /** The number of files of the task that could not be read. */
  quarantined(taskId: string): Promise<number> {
    return this.quarantine.countOfTask(taskId);
  }

  /** Joins the transaction that ends the task. The rows cannot be read afterwards. */
  async forget(taskId: string): Promise<void> {
    await this.journal.clear(taskId);
  }

  private async unknownFiles({ index }: ReadAnnotations, listed: ListedSource): Promise<readonly string[]> {
    return index.fileCount === 0 ? [] : unknownFileWarnings(index, this.listedPaths(listed));
  }

  private async *listedPaths(listed: ListedSource): AsyncGenerator<string> {
    for await (const { path } of readFileList(this.store, listed.key)) yield path;
  }

  private async listAndCheckpoint<Listed extends ListedSource>(
    run: IndexingRun,
    list: (key: string) => Promise<Listed>,
    keep: Keep<Listed>,
  ): Promise<Listed> {
    const key = `${workPrefix(run.taskId)}${attemptName(run.context)}-files.ndjson`;
    const listed = await list(key);
    const kept = await keep(listed);
    await run.context.commit(async () => {
      await this.journal.keepOnly(run.taskId, kept);
      await this.quarantine.clear(run.taskId);
      await run.context.saveCheckpoint(listed);
    });
    return listed;
  }

  private async refuse(taskId: string, files: number): Promise<never> {
    const quarantined = await this.quarantine.countOfTask(taskId);
    throw new PermanentJobError(
      files === 0
        ? 'The source contains no supported image or video'
        : `None of the ${files} files could be read (${quarantined} are in quarantine, each with its reason)`,
    );
  }
}
