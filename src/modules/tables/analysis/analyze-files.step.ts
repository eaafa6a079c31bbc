import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { AnalyzePart, type PartOwner } from './analyze-part';
import { partsOf, type FilePart } from './file-list';
import type { IndexingRun } from '../runs/indexing-run';
import type { ListedSource } from './listed-source';
import { PART_ENGINE, type PartEngine } from './part-engine';

/**
 * Analyses the files of a list, in parts. A list of one part is analysed at once, because handing it to others takes longer; the parts of a
 * longer one are analysed where the engine does so.
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

export const partOwner = (
  { datasetId, taskId, batchId }: IndexingRun,
  { key: listKey }: Pick<ListedSource, 'key'>,
  modelId: string,
): PartOwner => ({ datasetId, taskId, batchId, modelId, listKey });

const sumOf = (files: ReadonlyMap<number, number>): number =>
  [...files.values()].reduce((sum, count) => sum + count, 0);
