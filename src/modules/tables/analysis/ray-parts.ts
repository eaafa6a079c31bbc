import type { RaySteps, StepWork } from '../../../common/engine/ray/ray-steps';
import { parsedResult, type StepDescription } from '../../../common/engine/steps/step';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobYieldedError } from '../../../common/platform/jobs/job-errors';
import type { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { withSteps } from '../runs/with-steps';
import { type AnalyzePart, TURN_MS, type PartEngine, type PartsWork, type PartRecords } from './analyze-part';
import { partResult, type PartInput, type PartResult } from './analyze-part.step';

const LIST_ENDING = '-files.ndjson';

/** `ENGINE=ray`: the parts are steps of a Ray job, and the job of the operation records their results. */
export class RayParts implements PartEngine {
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
    await withSteps(this.steps, work.prefix, work.signal, () => this.steps.perform(work));
  }

  private workOf(parts: PartsWork): StepWork {
    const { run, listed, onFiles } = parts;
    const { taskId, datasetId, context } = run;
    const list = listed.key.slice(0, -LIST_ENDING.length);
    const turnEnds = Date.now() + TURN_MS;
    return {
      // Unique per list, because a retried task lists its source again.
      prefix: `${list}-ray/`,
      name: `dms-${taskId}-analyse`,
      metadata: { name: 'Dataset Media Service', dataset: datasetId, task: taskId },
      unfinished: () => this.stepsOf(parts, list),
      record: async (id, read) => {
        const files = await this.record(parts, Number(id), parsedResult(id, await read(), partResult));
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
    list: string,
  ): AsyncGenerator<StepDescription<PartInput>> {
    for await (const part of unfinished()) {
      const input = this.analyzePart.inputOf(owner, part, listed, list);
      yield { id: String(part.sequence), step: 'analyze-part', weight: part.weight, input };
    }
  }

  /** Returns the number of files; undefined if the part is already in the journal. */
  private async record({ run, owner }: PartsWork, sequence: number, result: PartResult): Promise<number | undefined> {
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
}
