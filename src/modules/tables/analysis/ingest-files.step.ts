import { Inject, Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { jobStep } from '../../../common/platform/jobs/job-step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { unknownFileWarnings, type ReadAnnotations } from '../annotation-files/domain/read-annotations';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';
import { AnalyzeFilesStep, partOwner } from './analyze-files.step';
import { ChunkRows } from '../rows/chunk-rows';
import { attemptName, readFileList, workPrefix } from './file-list';
import type { IndexingRun } from '../runs/indexing-run';
import { KeptParts } from './kept-parts';
import type { ListedSource } from './listed-source';
import type { ProgressReporter } from '../runs/progress-reporter';
import { SharedAnnotations } from './shared-annotations';

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

  /** `list` writes the files of the source under a key of the store. */
  async run(
    run: IndexingRun,
    list: (key: string) => Promise<ListedSource>,
    modelId: string,
    progress: ProgressReporter,
    { labelsFromFolders = false }: Pick<ListedSource, 'labelsFromFolders'> = {},
  ): Promise<IngestedFiles> {
    // A resumed run may find the store still unavailable; then compute children are not needed.
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
   * `list` writes the files to ingest under a key of the store; a resumed run reuses the list. A retried task lists anew, because its source may
   * have been repaired, and keeps only the parts that `keep` names.
   */
  async listOnce<Listed extends ListedSource>(
    run: IndexingRun,
    list: (key: string) => Promise<Listed>,
    keep: Keep<Listed> = keepNone,
  ): Promise<Listed> {
    const kept = run.context.checkpoint<Partial<Listed>>();
    // A list without a weight is of an earlier version, whose chunks are not parts.
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

  /** Joins the transaction that ends the task. Its rows can't be read afterwards. */
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
