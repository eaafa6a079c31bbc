import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SERVICE_VERSION } from '../../../common/platform/config/version';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { Settings } from '../../settings';
import { attemptName, workPrefix, type FilePart, type ListedSource } from './file-list';
import { isVersioned } from './domain/source-file';
import { AnalyzePartStep, type PartInput, type PartResult } from './analyze-part.step';
import type { IndexingRun } from '../runs/task-runner';
import { Metrics } from '../../../common/platform/observability/metrics';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository } from '../persistence/quarantine.repository';

/** Records the results of analysed parts. Only recorded parts count. */
@Injectable()
export class PartRecords {
  constructor(
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Joins the transaction of its caller. */
  async add(
    { datasetId, taskId }: { readonly datasetId: string; readonly taskId: string },
    sequence: number,
    { chunkKey: storeKey, quarantined, ...made }: PartResult,
  ): Promise<void> {
    await this.journal.add(datasetId, taskId, { sequence, storeKey, ...made });
    const quarantinedAt = new Date();
    await this.quarantine.add(
      datasetId,
      taskId,
      quarantined.map((file) => ({ ...file, quarantinedAt })),
    );
  }

  /** Call it after the commit. */
  count({ files, quarantined }: PartResult): void {
    this.metrics.indexedFiles.inc(files);
    for (const { reason } of quarantined) this.metrics.quarantined.inc({ reason });
  }
}

export interface PartsWork {
  readonly run: IndexingRun;
  readonly owner: PartOwner;
  readonly listed: ListedSource;
  /** Yields the parts that are not in the journal. Can be called repeatedly. */
  readonly unfinished: () => AsyncGenerator<FilePart, undefined>;
  /** Called with the number of files recorded since the last call. */
  readonly onFiles: (files: number) => void;
}

/** Analyses the parts of a long list of files. */
export interface PartEngine {
  /** Called before the files are listed. */
  prepare(modelId: string): void;
  /** Analyses and records all parts, in any order, and continues the work of earlier attempts of the run. */
  analyze(work: PartsWork): Promise<void>;
}

export const PART_ENGINE = Symbol('PartEngine');

/** How long an operation runs while others wait for a worker. */
export const TURN_MS = 10_000;

/** The run that the files belong to, and how they are read. */
export interface PartOwner {
  readonly datasetId: string;
  readonly taskId: string;
  /** The batch of its media. */
  readonly batchId: string;
  /** Key of the list of files in the store. */
  readonly listKey: string;
  /** The model that embeds the images. */
  readonly modelId: string;
}

/** Analyses parts of a file list in this process, and records each. */
@Injectable()
export class AnalyzePart {
  constructor(
    private readonly settings: Settings,
    private readonly step: AnalyzePartStep,
    private readonly records: PartRecords,
  ) {}

  /** `assertOwned` runs in the transaction of the record, and throws if the run no longer wants it. */
  async run(
    owner: PartOwner,
    part: FilePart,
    listed: Pick<ListedSource, 'annotations' | 'labelsFromFolders'>,
    context: JobContext,
    { onFile, assertOwned }: { onFile?: () => void; assertOwned?: () => Promise<void> } = {},
  ): Promise<void> {
    const input = this.inputOf(owner, part, listed, `${workPrefix(owner.taskId)}${attemptName(context)}`);
    const { signal } = context;
    const result = await this.step.run(input, { signal, ...(onFile !== undefined && { onItem: onFile }) });
    failpoint('chunk-stored');
    await context.commitProgress(async () => {
      await assertOwned?.();
      await this.records.add(owner, part.sequence, result);
    });
    this.records.count(result);
    failpoint('chunk-journalled');
  }

  /** The input of the step on any machine, with the current settings. */
  inputOf(
    { listKey, modelId, batchId }: PartOwner,
    { sequence, range, digest }: FilePart,
    listed: Pick<ListedSource, 'annotations' | 'labelsFromFolders'>,
    prefix: string,
  ): PartInput {
    const annotations = listed.annotations.map(({ name, source, size, version }) => ({ name, source, size, version }));
    const conditions = {
      annotations,
      modelId,
      swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
      // 0 keeps their size.
      frameHeight: this.settings.number('FRAME_EXTRACTION_RESIZE_HEIGHT') || null,
      // Omitted by default, so that parts of earlier versions can be kept.
      ...(listed.labelsFromFolders === true && { labelsFromFolders: true }),
    };
    const canBeTold = digest !== null && annotations.every(isVersioned);
    return {
      ...conditions,
      listKey,
      range,
      batchId,
      chunkPrefix: `${prefix}-${sequence}`,
      madeFrom: canBeTold ? hash('sha256', JSON.stringify({ SERVICE_VERSION, digest, ...conditions }), 'base64') : null,
    };
  }
}
