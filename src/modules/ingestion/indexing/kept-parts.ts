import { Inject, Injectable } from '@nestjs/common';
import { everyObject } from '../../../common/platform/storage/every-object';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { ChunkJournalRepository, type AnalyzedChunk } from '../persistence/chunk-journal.repository';
import { AnalyzePart, type PartOwner } from './analyze-part';
import { partsOf, workPrefix } from './file-list';
import type { ListedSource } from './list-source.step';

/** All of its files were read, so no mended file, decoder or limit would change it. */
const isWhole = ({ files, images, videos }: AnalyzedChunk): boolean => files === images + videos;

/** What a retried task keeps of its earlier runs. */
@Injectable()
export class KeptParts {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly journal: ChunkJournalRepository,
    private readonly analyzePart: AnalyzePart,
  ) {}

  /** The parts of the new list that would be analysed to the same rows again. */
  async of(owner: PartOwner, listed: ListedSource): Promise<number[]> {
    const journalled = (await this.journal.list(owner.taskId)).filter(isWhole);
    if (journalled.length === 0) return [];
    const known = new Map(journalled.map((chunk) => [chunk.sequence, chunk]));
    const stored = await this.storedChunks(owner.taskId);
    const kept: number[] = [];
    for await (const part of partsOf(this.store, listed.key, listed.partWeight)) {
      const chunk = known.get(part.sequence);
      if (chunk === undefined || chunk.madeFrom === null || !stored.has(chunk.storeKey)) continue;
      if (chunk.madeFrom === this.analyzePart.inputOf(owner, part, listed, '').madeFrom) kept.push(part.sequence);
    }
    return kept;
  }

  private async storedChunks(taskId: string): Promise<Set<string>> {
    const keys = new Set<string>();
    for await (const { key } of everyObject(this.store, workPrefix(taskId))) keys.add(key);
    return keys;
  }
}
