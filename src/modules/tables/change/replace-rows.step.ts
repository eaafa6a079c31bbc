import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { jobStep } from '../../../common/platform/jobs/job-step';
import type { PublishedTable } from '../../datasets';
import { totalOf, type RowSource } from '../rows/row-source';
import type { IndexingRun, BuildPhase } from '../runs/task-runner';
import { AppendRowsStep } from './append-rows.step';
import type { DatasetUpdate } from './update-operation';
import { RemoveRowsStep, type RowsToRemove } from './remove-rows.step';

export interface ReplacedRows {
  readonly added: RowSource;
  readonly removed: RowsToRemove;
}

/** Writes a table without some of its rows, and with others appended. */
@Injectable()
export class ReplaceRowsStep {
  constructor(
    private readonly tables: MediaTableStore,
    private readonly removeRows: RemoveRowsStep,
    private readonly appendRows: AppendRowsStep,
  ) {}

  /** Undefined if there is nothing to write. */
  async replace(
    run: IndexingRun,
    update: DatasetUpdate,
    { added, removed }: ReplacedRows,
    onProgress: (phase: BuildPhase, part: number) => void,
  ): Promise<PublishedTable | undefined> {
    const isNothingNew = totalOf(added.counts) === 0;
    if (removed.ordinals.size === 0)
      return isNothingNew
        ? undefined
        : jobStep('append-rows', () => this.appendRows.append(run, update, added, onProgress));
    const { dataset, pointer } = update;
    const base = { pointer, counts: dataset.counts };
    const rest = await jobStep('remove-rows', () => this.removeRows.remove(run, base, removed));
    if (isNothingNew) return rest;
    const { generation, version, counts, thumbnailKey, tagsFile } = rest;
    const remaining: DatasetUpdate = {
      ...update,
      dataset: { ...dataset, counts, thumbnailKey },
      pointer: { ...pointer, generation, version, tagsFile },
      table: await this.tables.open(rest),
    };
    const grown = await jobStep('append-rows', () => this.appendRows.append(run, remaining, added, onProgress));
    return { ...grown, tagsFile };
  }
}
