import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { ChunkJournalRepository, type AnalyzedChunk } from '../persistence/chunk-journal.repository';
import { AnalyzePart, type PartOwner } from './analyze-part';
import { readChunk } from '../rows/chunk-rows';
import { partsOf } from './file-list';
import type { ListedSource } from './listed-source';

/** Every file was read; analysing again changes nothing. */
const isWhole = ({ files, images, videos }: AnalyzedChunk): boolean => files === images + videos;

const rowsOf = ({ images, videos, frames, objects }: AnalyzedChunk): number => images + videos + frames + objects;

/** The parts that a retried task keeps of its earlier runs. */
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
    const kept: number[] = [];
    for await (const part of partsOf(this.store, listed.key, listed.partWeight)) {
      const chunk = known.get(part.sequence);
      if (chunk === undefined || chunk.madeFrom === null) continue;
      if (chunk.madeFrom !== this.analyzePart.inputOf(owner, part, listed, '').madeFrom) continue;
      const rows = await readChunk(this.store, chunk.storeKey);
      if (rows?.length === rowsOf(chunk)) kept.push(part.sequence);
    }
    return kept;
  }
}
