import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { AnalyzedChunkEntity } from './analyzed-chunk.entity';

export interface AnalyzedChunk {
  readonly sequence: number;
  readonly storeKey: string;
  readonly files: number;
  readonly images: number;
  readonly videos: number;
  readonly frames: number;
  readonly objects: number;
  readonly boxesOutside: number;
  readonly annotatedVideos: number;
  /** Digest of all that its rows depend on; null if a retry cannot keep it. */
  readonly madeFrom: string | null;
}

/** Analysed parts of a file list. A chunk counts as done when its row is committed. */
@Injectable()
export class ChunkJournalRepository {
  constructor(@InjectRepository(AnalyzedChunkEntity) private readonly chunks: Repository<AnalyzedChunkEntity>) {}

  async add(datasetId: string, taskId: string, chunk: AnalyzedChunk): Promise<void> {
    await this.chunks.insert({ ...chunk, datasetId, taskId });
  }

  list(taskId: string): Promise<AnalyzedChunk[]> {
    return this.chunks.find({ where: { taskId }, order: { sequence: 'ASC' } });
  }

  /** The number of files of each chunk, by its sequence. */
  async filesOf(taskId: string, sequences?: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.chunks.find({
      select: { sequence: true, files: true },
      where: { taskId, ...(sequences === undefined ? {} : { sequence: In([...sequences]) }) },
    });
    return new Map(rows.map(({ sequence, files }) => [sequence, files]));
  }

  /** The keys of the chunks that a retry may keep, by task. */
  async keptByTask(): Promise<Map<string, string[]>> {
    const rows = await this.chunks.find({
      select: { taskId: true, storeKey: true },
      where: { madeFrom: Not(IsNull()) },
      order: { taskId: 'ASC', sequence: 'ASC' },
    });
    const byTask = new Map<string, string[]>();
    for (const { taskId, storeKey } of rows) {
      const keys = byTask.get(taskId);
      if (keys === undefined) byTask.set(taskId, [storeKey]);
      else keys.push(storeKey);
    }
    return byTask;
  }

  async keepOnly(taskId: string, sequences: readonly number[]): Promise<void> {
    await this.chunks.query('DELETE FROM analyzed_chunk WHERE task_id = $1 AND sequence <> ALL($2::int[])', [
      taskId,
      sequences,
    ]);
  }

  async clear(taskId: string): Promise<void> {
    await this.chunks.delete({ taskId });
  }
}
