import { Logger } from '@nestjs/common';
import { errorMessage } from '../../../common/platform/errors/error-code';
import type { RaySteps, StepWork } from '../../../common/engine/ray/ray-steps';
import { StepRefusedError, type StepDescription } from '../../../common/engine/steps/step';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobCancelledError, JobYieldedError } from '../../../common/platform/jobs/job-errors';
import type { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { type AnalyzePart, TURN_MS, type PartEngine, type PartsWork, type PartRecords } from './analyze-part';
import { partResult, type PartInput } from './analyze-part.step';

const LIST_ENDING = '-files.ndjson';

/** `ENGINE=ray`: the parts are steps of a Ray job, and the job of the operation records their results. */
export class RayParts implements PartEngine {
  private readonly logger = new Logger(RayParts.name);

  constructor(
    private readonly steps: RaySteps,
    private readonly journal: ChunkJournalRepository,
    private readonly analyzePart: AnalyzePart,
    private readonly records: PartRecords,
  ) {}

  /** Nothing to do, because the compute children of this process are not used. */
  prepare(): void {
    return;
  }

  async analyze(parts: PartsWork): Promise<void> {
    const work = this.workOf(parts);
    try {
      await this.steps.perform(work);
    } catch (error) {
      if (work.signal.reason instanceof JobCancelledError) await this.stop(work);
      throw error;
    }
  }

  private workOf(parts: PartsWork): StepWork {
    const { run, listed, onFiles } = parts;
    const { taskId, datasetId, context } = run;
    const list = listed.key.slice(0, -LIST_ENDING.length);
    const prefix = `${list}-ray/`;
    const turnEnds = Date.now() + TURN_MS;
    return {
      prefix,
      // Unique per list: Ray does not accept a name twice, and a retried task lists its source again.
      name: `dms-${list.slice(list.lastIndexOf('/') + 1)}`,
      metadata: { name: 'Dataset Media Service', dataset: datasetId, task: taskId },
      unfinished: () => this.stepsOf(parts, prefix),
      record: async (id, result) => {
        const files = await this.record(parts, Number(id), result);
        if (files !== undefined) onFiles(files);
        return files !== undefined;
      },
      onLook: async () => {
        if (Date.now() > turnEnds && (await context.shouldYield())) throw new JobYieldedError();
      },
      signal: context.signal,
    };
  }

  private async *stepsOf(
    { owner, listed, unfinished }: PartsWork,
    prefix: string,
  ): AsyncGenerator<StepDescription<PartInput>> {
    for await (const part of unfinished()) {
      const input = this.analyzePart.inputOf(owner, part, listed, `${prefix}chunk`);
      yield { id: String(part.sequence), step: 'analyze-part', weight: part.weight, input };
    }
  }

  /** Returns the number of files; undefined if the part is already in the journal. */
  private async record({ run, owner }: PartsWork, sequence: number, given: unknown): Promise<number | undefined> {
    const { data: result, error } = partResult.safeParse(given);
    if (error !== undefined)
      throw new StepRefusedError(`The result of part ${sequence} is not valid: ${error.message}`, { cause: error });
    const isNew = await run.context.commitProgress(async () => {
      if ((await this.journal.filesOf(owner.taskId, [sequence])).size > 0) return false;
      await this.records.add(owner, sequence, result);
      return true;
    });
    if (!isNew) return undefined;
    this.records.count(result);
    failpoint('chunk-journalled');
    return result.files;
  }

  /** If stopping fails, the job ends when the plan is deleted. */
  private async stop(work: StepWork): Promise<void> {
    try {
      await this.steps.stop(work);
    } catch (error) {
      this.logger.warn(`The Ray jobs of an aborted task could not be stopped: ${errorMessage(error)}`);
    }
  }
}
