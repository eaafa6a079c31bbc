import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { PublishedTable } from '../../datasets';
import { CarriedTags } from '../../versions';
import { DatasetOperations } from '../../tasks';
import { BuildTableStep } from '../build/build-table.step';
import type { DatasetUpdate } from './update-operation';
import type { IndexingRun, BuildPhase } from '../runs/task-runner';
import { joinedRows, type RowSource, TableRows } from '../rows/row-source';
import { modelsOf } from '../build/table-models';

/** Writes the rows of a dataset, with additional ones, into a new table: compared and clustered again, with their tags. */
@Injectable()
export class RebuildStep {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly buildTable: BuildTableStep,
    private readonly tags: CarriedTags,
  ) {}

  async rebuild(
    run: IndexingRun,
    { dataset, pointer, table }: DatasetUpdate,
    added: RowSource | undefined,
    onProgress: (phase: BuildPhase, part: number) => void,
  ): Promise<PublishedTable> {
    await this.operations.pass(run, 'clustering-started');
    failpoint('clustering-started');
    const own = new TableRows(table, dataset.counts, run.context.signal);
    const rows = added === undefined ? own : joinedRows(own, added);
    const built = await this.buildTable.build(run, rows, modelsOf(pointer, table), onProgress);
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, built.ordinalOf);
    failpoint('tags-carried');
    return { ...built, tagsFile };
  }
}
