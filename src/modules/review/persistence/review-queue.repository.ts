import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, Index, IsNull, Not, PrimaryColumn, Repository } from 'typeorm';
import type { Question } from '../domain/question';
import type { Consensus, ReviewQueue } from '../domain/review-queue';

@Entity('review_queue')
@Index(['datasetId', 'name'], { unique: true })
@Index(['viewId'], { where: '(view_id IS NOT NULL)' })
export class ReviewQueueEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('jsonb')
  question!: Question;

  @Column('integer')
  agreement!: number;

  @Column('text')
  consensus!: Consensus;

  @Column('boolean')
  reviewed!: boolean;

  @Column('text', { nullable: true })
  itemSource!: string | null;

  @Column('uuid', { array: true, nullable: true })
  people!: string[] | null;

  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('uuid', { nullable: true })
  viewId!: string | null;

  @Column('text', { nullable: true })
  feedError!: string | null;

  @Column('boolean')
  paused!: boolean;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text')
  createdBy!: string;

  @Column('integer')
  items!: number;

  @Column('integer')
  left!: number;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}

export type Changeable = Pick<ReviewQueue, 'name' | 'description' | 'dueAt' | 'people' | 'paused'>;

/** What is undefined stays. */
export type QueueChanges = { readonly [K in keyof Changeable]?: Changeable[K] | undefined };

@Injectable()
export class ReviewQueueRepository {
  constructor(@InjectRepository(ReviewQueueEntity) private readonly queues: Repository<ReviewQueueEntity>) {}

  /** Returns false if the dataset has a queue with this name. */
  async insert(queue: ReviewQueue): Promise<boolean> {
    const made = await this.queues
      .createQueryBuilder()
      .insert()
      .values({ ...queue, people: queue.people && [...queue.people] })
      .orIgnore()
      .returning('id')
      .execute();
    return (made.raw as unknown[]).length > 0;
  }

  async find(datasetId: string, id: string): Promise<ReviewQueue | undefined> {
    return (await this.queues.findOneBy({ id, datasetId })) ?? undefined;
  }

  /** Ids of those that are fed by a view. */
  async listFedBy(viewId: string): Promise<readonly string[]> {
    return (await this.queues.find({ where: { viewId }, select: { id: true } })).map(({ id }) => id);
  }

  /** Locks the queue until the transaction ends; undefined if it was deleted, or is fed no more. */
  async lockFed(id: string): Promise<ReviewQueue | undefined> {
    const lock = { mode: 'for_no_key_update' } as const;
    return (await this.queues.findOne({ where: { id, viewId: Not(IsNull()) }, lock })) ?? undefined;
  }

  /** The queue must be locked. One that gets items is open again. */
  async grow(id: string, added: number): Promise<void> {
    await this.queues.query(
      `UPDATE review_queue SET items = items + $2, "left" = "left" + $2,
         finished_at = CASE WHEN $2 = 0 THEN finished_at END
       WHERE id = $1`,
      [id, added],
    );
  }

  async setFeedError(id: string, feedError: string | null): Promise<void> {
    await this.queues.update({ id }, { feedError });
  }

  /** Newest first. */
  list(datasetId: string): Promise<ReviewQueue[]> {
    return this.queues.find({ where: { datasetId }, order: { createdAt: 'DESC', id: 'ASC' } });
  }

  count(datasetId: string): Promise<number> {
    return this.queues.countBy({ datasetId });
  }

  async existsNamed(datasetId: string, name: string): Promise<boolean> {
    return this.queues.existsBy({ datasetId, name });
  }

  async change(id: string, { name, description, dueAt, paused, people }: Changeable): Promise<void> {
    await this.queues.update({ id }, { name, description, dueAt, paused, people: people && [...people] });
  }

  /** Returns whether it existed. */
  async delete(datasetId: string, id: string): Promise<boolean> {
    return (await this.queues.delete({ id, datasetId })).affected === 1;
  }

  /** Locks the queue until the transaction ends, so of two last items that end together, the second one finishes it. Returns whether it is finished now. */
  async countLeft(id: string, difference: number, now: Date): Promise<boolean> {
    const [rows] = await this.queues.query<[{ left: number }[], number]>(
      `UPDATE review_queue SET "left" = "left" + $2, finished_at = CASE WHEN "left" + $2 = 0 THEN $3::timestamptz END
       WHERE id = $1 RETURNING "left"`,
      [id, difference, now],
    );
    return rows[0]?.left === 0;
  }
}
