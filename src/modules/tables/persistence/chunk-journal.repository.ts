import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Journal of an indexing run: these files of its list are analysed, and their rows are in the chunk `storeKey`. */
@Entity('analyzed_chunk')
export class AnalyzedChunkEntity {
  @PrimaryColumn('uuid')
  taskId!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  storeKey!: string;

  @Column('integer')
  files!: number;

  @Column('integer')
  images!: number;

  @Column('integer')
  videos!: number;

  @Column('integer')
  frames!: number;

  @Column('integer')
  objects!: number;

  /** Annotated boxes outside their image. */
  @Column('integer', { default: 0 })
  boxesOutside!: number;

  /** Videos with annotations, which are not supported. */
  @Column('integer', { default: 0 })
  annotatedVideos!: number;

  /** A digest of all inputs of the rows; null if a retry must analyse the files again. */
  @Column('text', { nullable: true })
  madeFrom!: string | null;
}

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
  /** A digest of all inputs of the rows; null if a retry cannot keep the chunk. */
  readonly madeFrom: string | null;
}

export interface KeptChunks {
  readonly taskId: string;
  /** A digest of the keys of the chunks. */
  readonly digest: string;
}

/** The analysed parts of a file list. A chunk counts as complete when its row is committed. */
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

  /** The tasks with chunks that a retry can keep. */
  async keptChunks(): Promise<KeptChunks[]> {
    return this.chunks.query<KeptChunks[]>(`
      SELECT task_id AS "taskId", md5(string_agg(store_key, E'\\n' ORDER BY sequence)) AS digest
      FROM analyzed_chunk WHERE made_from IS NOT NULL GROUP BY task_id`);
  }

  /** The keys of the chunks of a task that a retry can keep, with their digest. */
  async keptOf(taskId: string): Promise<{ readonly digest: string; readonly storeKeys: readonly string[] }> {
    const rows = await this.chunks.find({
      select: { storeKey: true },
      where: { taskId, madeFrom: Not(IsNull()) },
      order: { sequence: 'ASC' },
    });
    const storeKeys = rows.map(({ storeKey }) => storeKey);
    return { digest: hash('md5', storeKeys.join('\n')), storeKeys };
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
