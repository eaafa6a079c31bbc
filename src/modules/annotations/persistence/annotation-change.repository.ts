import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, Index, PrimaryColumn, Repository } from 'typeorm';
import type { AnnotationChange, ChangeMode } from '../domain/annotation-change';

const MEDIA_INDEX = 'annotation_change_media_ids_idx';

@Entity('annotation_change')
@Index(['datasetId', 'number'])
@Index(['datasetId', 'createdBy', 'number'])
@Index(MEDIA_INDEX, { synchronize: false })
export class AnnotationChangeEntity {
  /** In the order in which changes of a dataset were published. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  number!: string;

  @Index({ unique: true })
  @Column('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  source!: string;

  @Column('text')
  mode!: ChangeMode;

  @Column('text')
  createdBy!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Index()
  @Column('uuid', { nullable: true })
  queueId!: string | null;

  @Index({ unique: true })
  @Column('uuid', { nullable: true })
  undoes!: string | null;

  @Column('int')
  added!: number;

  @Column('int')
  changed!: number;

  @Column('int')
  removed!: number;

  /** Null if the pictures are not listed. */
  @Column('int', { nullable: true })
  nMedia!: number | null;

  /** In the order of the content. */
  @Column('uuid', { array: true })
  mediaIds!: string[];

  /** Null if the change cannot be undone. */
  @Column('bytea', { nullable: true })
  content!: Buffer | null;

  /** Of the content, unpacked. */
  @Column('int')
  contentBytes!: number;
}

export interface ChangeFilter {
  readonly mediaId?: string | undefined;
  readonly source?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly queueId?: string | undefined;
  /** Only changes before the one with this number. */
  readonly before?: number | undefined;
}

export type ChangeRow = Omit<AnnotationChange, 'datasetId' | 'mediaIds' | 'content'> & {
  readonly number: string;
  readonly undoneBy: string | null;
  readonly hasContent: boolean;
  /** Some of its pictures. */
  readonly shown: readonly string[];
  /** The place of the first of them in the content. */
  readonly firstShown: number;
};

const COLUMNS = `
  change.id, change.number, change.source, change.mode, change.created_by AS "createdBy", change.created_at AS "createdAt",
  change.queue_id AS "queueId", change.undoes, undo.id AS "undoneBy", change.added, change.changed, change.removed,
  change.n_media AS "nMedia", change.content IS NOT NULL AS "hasContent", change.content_bytes AS "contentBytes"`;

@Injectable()
export class AnnotationChangeRepository {
  constructor(@InjectRepository(AnnotationChangeEntity) private readonly changes: Repository<AnnotationChangeEntity>) {}

  async insert(change: AnnotationChange): Promise<void> {
    await this.changes.insert({ ...change, mediaIds: [...change.mediaIds] });
  }

  async find(datasetId: string, id: string): Promise<AnnotationChange | undefined> {
    return (await this.changes.findOneBy({ datasetId, id })) ?? undefined;
  }

  isUndone(id: string): Promise<boolean> {
    return this.changes.existsBy({ undoes: id });
  }

  /** Latest first, each with up to `mostShown` of its pictures, or the one that is asked for. */
  page(
    datasetId: string,
    { mediaId, source, createdBy, queueId, before }: ChangeFilter,
    { limit, mostShown }: { readonly limit: number; readonly mostShown: number },
  ): Promise<ChangeRow[]> {
    const values: unknown[] = [datasetId];
    const conditions = ['change.dataset_id = $1'];
    const where = (condition: string, value: unknown): void => {
      if (value === undefined) return;
      values.push(value);
      conditions.push(condition.replace('?', `$${values.length}`));
    };
    where('change.media_ids @> ARRAY[?::uuid]', mediaId);
    const shown =
      mediaId === undefined
        ? `change.media_ids[1:${mostShown}] AS shown, 0 AS "firstShown"`
        : `ARRAY[$2::uuid] AS shown, array_position(change.media_ids, $2::uuid) - 1 AS "firstShown"`;
    where('change.source = ?', source);
    where('change.created_by = ?', createdBy);
    where('change.queue_id = ?', queueId);
    where('change.number < ?', before);
    return this.changes.query<ChangeRow[]>(
      `SELECT ${COLUMNS}, ${shown}
       FROM annotation_change AS change LEFT JOIN annotation_change AS undo ON undo.undoes = change.id
       WHERE ${conditions.join(' AND ')} ORDER BY change.number DESC LIMIT ${limit}`,
      values,
    );
  }

  async contentsOf(ids: readonly string[]): Promise<Map<string, Buffer>> {
    const rows = await this.changes.query<{ id: string; content: Buffer }[]>(
      'SELECT id, content FROM annotation_change WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return new Map(rows.map(({ id, content }) => [id, content]));
  }
}
