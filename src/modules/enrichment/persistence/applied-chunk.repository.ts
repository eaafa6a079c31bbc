import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, Column, Entity, PrimaryColumn } from 'typeorm';
import type { EnrichmentType } from '../../../common/engine/models/model-manifest';

/** Journal of an enrichment: a model was applied to these media, and its findings are in the file `storeKey`. */
@Entity('applied_chunk')
export class AppliedChunkEntity {
  @PrimaryColumn('uuid')
  taskId!: string;

  @PrimaryColumn('text')
  type!: EnrichmentType;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column('text')
  storeKey!: string;

  @Column('integer')
  media!: number;

  @Column('integer', { default: 0 })
  objects!: number;
}

export interface AppliedChunk {
  readonly type: EnrichmentType;
  readonly sequence: number;
  readonly storeKey: string;
  /** The number of media that it covers, in the order of the table. */
  readonly media: number;
  /** The number of objects that were found in them. */
  readonly objects: number;
}

/** A chunk counts as done when its row is committed. */
@Injectable()
export class AppliedChunkRepository {
  constructor(@InjectRepository(AppliedChunkEntity) private readonly chunks: Repository<AppliedChunkEntity>) {}

  async add(taskId: string, chunk: AppliedChunk): Promise<void> {
    await this.chunks.insert({ ...chunk, taskId });
  }

  list(taskId: string, type: EnrichmentType): Promise<AppliedChunk[]> {
    return this.chunks.find({ where: { taskId, type }, order: { sequence: 'ASC' } });
  }

  /** How far each model of a task has come. */
  async doneByType(taskId: string): Promise<Map<EnrichmentType, Pick<AppliedChunk, 'media' | 'objects'>>> {
    const rows = await this.chunks
      .createQueryBuilder('chunk')
      .select('chunk.type', 'type')
      .addSelect('sum(chunk.media)', 'media')
      .addSelect('sum(chunk.objects)', 'objects')
      .where({ taskId })
      .groupBy('chunk.type')
      .getRawMany<{ type: EnrichmentType; media: string; objects: string }>();
    return new Map(rows.map(({ type, media, objects }) => [type, { media: Number(media), objects: Number(objects) }]));
  }

  async clear(taskId: string): Promise<void> {
    await this.chunks.delete({ taskId });
  }

  async clearTypes(taskId: string, types: readonly EnrichmentType[]): Promise<void> {
    await this.chunks.delete({ taskId, type: In([...types]) });
  }
}
