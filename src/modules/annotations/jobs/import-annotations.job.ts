import { Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { TaskRunner, type IndexingRun } from '../../tables';
import { DatasetOperations, UsersMayStop, type OperationPayload } from '../../tasks';
import { unmatchedWarnings } from '../domain/annotation';
import { countedChange } from '../domain/annotation-change';
import { AnnotationChangeRepository } from '../persistence/annotation-change.repository';
import { StateChanges } from '../state-changes';
import { ImportSourceStep } from './import-source.step';
import { FarBehindError, PlaceImportStep } from './place-import.step';
import { IMPORT_ANNOTATIONS, IMPORTING_ANNOTATIONS } from './source-import';
import { newAct, type Act } from '../domain/source-change';
import type { WrittenSource } from './written-source';

/** Reads annotation files into a source while the dataset is searched and its annotations are changed. An interrupted attempt starts over. */
@JobHandler(IMPORT_ANNOTATIONS)
@UsersMayStop(IMPORTING_ANNOTATIONS)
@Injectable()
export class ImportAnnotationsJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly importing: ImportSourceStep,
    private readonly placing: PlaceImportStep,
    private readonly changes: StateChanges,
    private readonly history: AnnotationChangeRepository,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.importFiles(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(IMPORTING_ANNOTATIONS, payload, error, attempt);
  }

  private async importFiles(run: IndexingRun): Promise<void> {
    const { dataset, task, parameters } = await this.operations.open(IMPORTING_ANNOTATIONS, run);
    if (dataset.pointer === null) throw new PermanentJobError('The dataset was never indexed');
    const progress = this.work.progressOf(run);
    const act = newAct(task.createdBy);
    const { written, unmatched, warnings } = await this.importing.run(run, dataset.pointer, parameters, act, progress);
    await progress.settle();
    const outcome = { event: null, warnings: [...warnings, ...unmatchedWarnings(unmatched)] };
    if (written === undefined) return this.operations.complete(run, () => outcome);
    const complete = (publish: () => Promise<void>): Promise<void> =>
      this.operations.complete(run, async () => publish().then(() => outcome));
    let latest = written;
    while (!(await this.publish(run, latest, act, complete)))
      latest = await this.placing.catchUp(run.datasetId, latest, act, run.context.signal);
  }

  /** Returns false if the source was changed too much since. */
  private async publish(
    { datasetId }: IndexingRun,
    written: WrittenSource,
    act: Act,
    complete: (publish: () => Promise<void>) => Promise<void>,
  ): Promise<boolean> {
    try {
      await this.changes.applyIn(complete, datasetId, {
        make: (draft) => this.placing.place(draft, written, act),
        commit: async () => {
          await this.importing.keep(written);
          const { source, totals } = written;
          await this.history.insert(countedChange({ datasetId, source: source.name, mode: 'import', ...totals }, act));
        },
      });
      return true;
    } catch (error) {
      if (error instanceof FarBehindError) return false;
      throw error;
    }
  }
}
