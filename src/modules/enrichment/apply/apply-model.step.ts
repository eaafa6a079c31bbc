import { Inject, Injectable } from '@nestjs/common';
import { pMapIterable } from 'p-map';
import type { PictureModelType } from '../../../common/engine/models/picture-model';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobShutdownError, JobYieldedError, PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { attemptName, QuarantineRepository, workPrefix, type QuarantinedFile } from '../../ingestion/for-operations';
import type { ChosenModel } from '../domain/chosen-models';
import { KINDS_SEEN, type Finding } from '../domain/findings';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import type { EnrichmentRun } from './enrichment-run';
import { encodeFindings } from './findings-file';
import { PictureModels, type PictureResult } from './picture-models';
import type { SeenPictures, SeenRow } from './seen-pictures';

const CHUNK_MEDIA = 256;
const CHUNK_MS = 5000;
/** A model that refuses so many pictures before it accepts one is the wrong one, for example without vision. */
const TRIAL_MEDIA = 20;
/** Time slice of a dataset while others are waiting. */
const TURN_MS = 10_000;

class Chunk {
  readonly startedAt = Date.now();
  readonly findings: Finding[] = [];
  readonly refused: QuarantinedFile[] = [];

  get isFull(): boolean {
    return this.findings.length >= CHUNK_MEDIA || Date.now() - this.startedAt >= CHUNK_MS;
  }
}

export type PictureModelChosen = ChosenModel & { readonly type: PictureModelType };

/** Applies a model to pictures, and stores what it finds in chunks, each recorded in the journal. */
@Injectable()
export class ApplyModelStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly models: PictureModels,
    private readonly journal: AppliedChunkRepository,
    private readonly quarantine: QuarantineRepository,
  ) {}

  /** Continues after what is in the journal. */
  async run(
    run: EnrichmentRun,
    pictures: SeenPictures,
    chosen: PictureModelChosen,
    onPart: (part: number) => void,
  ): Promise<void> {
    const { type, id, metadata } = chosen;
    const kinds = KINDS_SEEN[type];
    const total = await pictures.count(kinds);
    const journalled = await this.journal.list(run.taskId, type);
    let done = journalled.reduce((sum, chunk) => sum + chunk.media, 0);
    if (done === total) return;
    let sequence = journalled.length;
    let chunk = new Chunk();
    const trial = run.isFirst && done === 0 ? Math.min(TRIAL_MEDIA, total) : 0;
    const turnEnds = Date.now() + TURN_MS;
    const flush = async (): Promise<void> => {
      // A retry with a corrected model asks again for what was refused in the trial.
      if (chunk.findings.length === 0 || done < trial) return;
      const full = chunk;
      chunk = new Chunk();
      await this.flush(run, chosen, full, sequence++);
    };
    const { signal } = run.context;
    await this.models.use(type, id, metadata, async (model) => {
      const rows = pictures.rows(kinds, done);
      try {
        for await (const { row, result } of pMapIterable(
          rows,
          async (row) => ({ row, result: await model.apply({ source: row.source, region: row.box }, signal) }),
          { concurrency: model.atOnce },
        )) {
          collect(chunk, chosen, row, result);
          if (done + 1 === trial) assertAcceptsSome(id, chunk);
          onPart(++done / total);
          if (!chunk.isFull || done < trial) continue;
          await flush();
          if (Date.now() >= turnEnds && (await run.context.shouldYield())) throw new JobYieldedError();
        }
      } catch (error) {
        // Save what is found for the resumed run, unless another run owns the work already.
        if (!signal.aborted || signal.reason instanceof JobShutdownError) await flush();
        throw error;
      }
      await flush();
    });
  }

  private async flush(run: EnrichmentRun, { type }: ChosenModel, chunk: Chunk, sequence: number): Promise<void> {
    const { taskId, targetId, context } = run;
    const storeKey = `${workPrefix(taskId)}${attemptName(context)}-${type}-${sequence}.ndjson`;
    await this.store.put(storeKey, encodeFindings(chunk.findings));
    failpoint('findings-stored');
    await context.commitProgress(async () => {
      await this.journal.add(taskId, { type, sequence, storeKey, media: chunk.findings.length });
      await this.quarantine.add(targetId, taskId, chunk.refused);
    });
    failpoint('findings-journalled');
  }
}

function assertAcceptsSome(modelId: string, { findings, refused }: Chunk): void {
  const [first] = refused;
  if (first === undefined || refused.length < findings.length) return;
  if (refused.some(({ reason }) => reason !== 'refused_by_model')) return;
  throw new PermanentJobError(
    `The model ${modelId} refused all of the first ${refused.length} pictures. Of ${first.path} it said: ${first.detail}`,
  );
}

function collect(chunk: Chunk, { type, id }: ChosenModel, row: SeenRow, result: PictureResult<PictureModelType>): void {
  if (result.kind === 'FOUND') {
    chunk.findings.push({ id: row.id, found: result.found });
    return;
  }
  chunk.findings.push({ id: row.id, found: null });
  const detail = `${type} by ${id}: ${result.detail}`;
  chunk.refused.push({ path: row.path, reason: result.reason, detail, quarantinedAt: new Date() });
}
