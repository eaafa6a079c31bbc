import { Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { IndexingRun } from '../../tables';
import { SourceAnnotations } from '../../versions';
import { ObjectsOfSource } from './objects-of-source';
import { WriteAnnotationsStep, type AnnotatedTable, type OnProgress, type Written } from './write-annotations.step';

/** Brings the objects of a table in line with what a source marks. */
@Injectable()
export class MakeObjectsStep {
  constructor(
    private readonly annotations: SourceAnnotations,
    private readonly write: WriteAnnotationsStep,
  ) {}

  async run(run: IndexingRun, base: AnnotatedTable, source: string, onProgress: OnProgress): Promise<Written> {
    const { pointer, table } = base;
    const placed = await this.annotations.open(pointer, table, source);
    if (placed === undefined)
      throw new PermanentJobError(`The dataset has no annotation source '${source}' any more, so nothing was changed.`);
    const { sources } = await this.annotations.stateOf(pointer);
    const objects = await ObjectsOfSource.compared({
      table,
      placed,
      ids: await this.annotations.idsOf(table),
      sources: new Set(sources.map(({ name }) => name)),
      modelId: pointer.modelId,
      signal: run.context.signal,
    });
    return this.write.writeObjects(run, base, objects, onProgress);
  }
}
