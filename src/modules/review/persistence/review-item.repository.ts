import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, Index, MoreThan, PrimaryColumn, Repository } from 'typeorm';
import type { Answer } from '../domain/question';
import type { ItemProgress } from '../domain/consensus';
import type { ItemState, NewItem, ReviewItem, ReviewQueue } from '../domain/review-queue';

@Entity('review_item')
@Index(['queueId', 'position'])
@Index(['queueId', 'mediaId'])
@Index(['queueId', 'state', 'position'])
@Index(['queueId', 'turn', 'position'], {
  where: "(state = ANY (ARRAY['open'::text, 'skipped'::text, 'rejected'::text]))",
})
export class ReviewItemEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  queueId!: string;

  @Column('integer')
  position!: number;

  @Column('uuid')
  mediaId!: string;

  @Column('text', { nullable: true })
  annotationId!: string | null;

  @Column('jsonb', { nullable: true })
  expected!: Answer | null;

  @Column('text')
  state!: ItemState;

  @Column('integer')
  turn!: number;

  @Column('integer')
  answers!: number;

  @Column('integer')
  needed!: number;

  /** From when on somebody more may have it: what the lock of the row protects, because others' leases are not seen before it. */
  @Column('timestamptz')
  freeAt!: Date;

  @Column('jsonb', { nullable: true })
  answer!: Answer | null;

  @Column('uuid', { nullable: true })
  changeId!: string | null;
}

@Entity('review_lease')
@Index(['queueId', 'userId'])
export class ReviewLeaseEntity {
  @PrimaryColumn('uuid')
  itemId!: string;

  @PrimaryColumn('uuid')
  userId!: string;

  @Column('uuid')
  queueId!: string;

  @Column('timestamptz')
  until!: Date;
}

const PER_INSERT = 10_000;
const LEASE_SECONDS = 10 * 60;
/** How long a rejected item waits for its authors. */
const RETURNED_SECONDS = 7 * 24 * 60 * 60;

const COLUMNS = `item.id, item.position, item.media_id AS "mediaId", item.annotation_id AS "annotationId",
  item.expected, item.state, item.answer, item.change_id AS "changeId"`;
const ANSWERABLE = "item.state IN ('open', 'skipped', 'rejected')";

export interface ItemsAsked {
  readonly state?: ItemState | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

@Injectable()
export class ReviewItemRepository {
  constructor(@InjectRepository(ReviewItemEntity) private readonly items: Repository<ReviewItemEntity>) {}

  async insert(queueId: string, needed: number, items: readonly NewItem[]): Promise<void> {
    for (let start = 0; start < items.length; start += PER_INSERT) {
      const part = items.slice(start, start + PER_INSERT);
      await this.items.query(
        `INSERT INTO review_item
           (id, queue_id, position, media_id, annotation_id, expected, state, turn, answers, needed, free_at)
         SELECT id, $1, position, media_id, annotation_id, expected::jsonb, 'open', 0, 0, $2, '-infinity'
         FROM unnest($3::uuid[], $4::integer[], $5::uuid[], $6::text[], $7::text[])
           AS given (id, position, media_id, annotation_id, expected)`,
        [
          queueId,
          needed,
          part.map(() => randomUUID()),
          part.map((_, at) => start + at),
          part.map(({ mediaId }) => mediaId),
          part.map(({ annotationId }) => annotationId),
          part.map(({ expected }) => expected && JSON.stringify(expected)),
        ],
      );
    }
  }

  /** Those that the queue does not have yet, after the others, up to `room`. The queue must be locked. Returns how many. */
  async append(
    { id, agreement, items: from }: Pick<ReviewQueue, 'id' | 'agreement' | 'items'>,
    mediaIds: readonly string[],
    room: number,
  ): Promise<number> {
    const added = await this.items.query<unknown[]>(
      `INSERT INTO review_item (id, queue_id, position, media_id, state, turn, answers, needed, free_at)
       SELECT gen_random_uuid(), $1, $2 - 1 + row_number() OVER (ORDER BY given.at), given.media_id,
         'open', 0, 0, $3, '-infinity'
       FROM unnest($4::uuid[]) WITH ORDINALITY AS given (media_id, at)
       WHERE NOT EXISTS (SELECT 1 FROM review_item item WHERE item.queue_id = $1 AND item.media_id = given.media_id)
       ORDER BY given.at LIMIT $5 RETURNING 1`,
      [id, from, agreement, [...mediaIds], room],
    );
    return added.length;
  }

  /** Whether the queue does not have one of the media. */
  async isAnyMissing(queueId: string, mediaIds: readonly string[]): Promise<boolean> {
    const rows = await this.items.query<unknown[]>(
      `SELECT 1 FROM unnest($2::uuid[]) AS given (media_id)
       WHERE NOT EXISTS (SELECT 1 FROM review_item item WHERE item.queue_id = $1 AND item.media_id = given.media_id)
       LIMIT 1`,
      [queueId, [...mediaIds]],
    );
    return rows.length > 0;
  }

  async find(queueId: string, id: string): Promise<ReviewItem | undefined> {
    return (await this.items.findOneBy({ id, queueId })) ?? undefined;
  }

  /** Locks the item until the transaction ends. */
  async lock(queueId: string, id: string): Promise<ReviewItem | undefined> {
    const rows = await this.items.query<ReviewItem[]>(
      `SELECT ${COLUMNS} FROM review_item item WHERE id = $1 AND queue_id = $2 FOR NO KEY UPDATE`,
      [id, queueId],
    );
    return rows[0];
  }

  /** In their order. */
  list(queueId: string, { state, after, limit }: ItemsAsked): Promise<ReviewItem[]> {
    return this.items.find({
      where: { queueId, ...(state && { state }), ...(after !== undefined && { position: MoreThan(after) }) },
      order: { position: 'ASC' },
      take: limit,
    });
  }

  /** Those that the user has, the rejected ones first; others that the user has not decided on fill the rest. All are the user's for ten minutes. */
  async lease(queueId: string, userId: string, limit: number): Promise<ReviewItem[]> {
    const own = await this.items.query<ReviewItem[]>(
      `SELECT ${COLUMNS} FROM review_lease lease JOIN review_item item ON item.id = lease.item_id
       WHERE lease.queue_id = $1 AND lease.user_id = $2 AND lease.until > now() AND ${ANSWERABLE}
       ORDER BY item.state = 'rejected' DESC, item.turn, item.position LIMIT $3
       FOR NO KEY UPDATE OF item SKIP LOCKED`,
      [queueId, userId, limit],
    );
    const fresh = own.length === limit ? [] : await this.takeFree(queueId, userId, limit - own.length);
    const items = [...own, ...fresh];
    if (items.length > 0)
      await this.extendLeases(
        queueId,
        userId,
        items.map(({ id }) => id),
      );
    return items;
  }

  /** Whether there is an item that the user may get once others give it back. */
  async mayComeBack(queueId: string, userId: string): Promise<boolean> {
    const rows = await this.items.query<unknown[]>(
      `SELECT 1 FROM review_item item WHERE queue_id = $1 AND ${ANSWERABLE} AND ${notDecidedBy('$2')} LIMIT 1`,
      [queueId, userId],
    );
    return rows.length > 0;
  }

  /** Whether so many others have the item or have answered it that there is no place for the user. The item must be locked. */
  async isTaken(id: string, userId: string): Promise<boolean> {
    const [row] = await this.items.query<{ taken: boolean }[]>(
      `SELECT answers + (SELECT count(*) FROM review_lease
         WHERE item_id = item.id AND user_id <> $2 AND until > now()) >= needed AS taken
       FROM review_item item WHERE id = $1`,
      [id, userId],
    );
    return row!.taken;
  }

  /** The item must be locked. The user has it no longer. */
  async saveProgress(id: string, userId: string, progress: ItemProgress & { changeId: string | null }): Promise<void> {
    await this.items.query('DELETE FROM review_lease WHERE item_id = $1 AND user_id = $2', [id, userId]);
    await this.save(id, progress);
  }

  /** The item must be locked. The user has it again. */
  async reopen(
    queueId: string,
    id: string,
    userId: string,
    progress: ItemProgress & { changeId: string | null },
  ): Promise<void> {
    await this.extendLeases(queueId, userId, [id]);
    await this.save(id, progress);
  }

  /** The item must be locked. */
  async setState(id: string, state: ItemState): Promise<void> {
    await this.items.update({ id }, { state });
  }

  /** The item must be locked. It waits for its authors. */
  async giveBack(queueId: string, id: string, authors: readonly string[], needed: number): Promise<void> {
    await this.items.query(
      `INSERT INTO review_lease (item_id, user_id, queue_id, until)
       SELECT $1, author, $2, now() + make_interval(secs => ${RETURNED_SECONDS}) FROM unnest($3::uuid[]) author
       ON CONFLICT (item_id, user_id) DO UPDATE SET until = excluded.until`,
      [id, queueId, [...authors]],
    );
    await this.save(id, { state: 'rejected', answer: null, answers: 0, needed, turn: 0, changeId: null });
  }

  /** By state. */
  async counts(queueId: string): Promise<ReadonlyMap<ItemState, number>> {
    const rows = await this.items.query<{ state: ItemState; count: number }[]>(
      'SELECT state, count(*)::integer AS count FROM review_item WHERE queue_id = $1 GROUP BY state',
      [queueId],
    );
    return new Map(rows.map(({ state, count }) => [state, count]));
  }

  async leased(queueId: string): Promise<number> {
    const [row] = await this.items.query<{ count: number }[]>(
      'SELECT count(DISTINCT item_id)::integer AS count FROM review_lease WHERE queue_id = $1 AND until > now()',
      [queueId],
    );
    return row!.count;
  }

  private async save(
    id: string,
    { state, answer, answers, needed, turn, changeId }: ItemProgress & { changeId: string | null },
  ): Promise<void> {
    await this.items.query(
      `UPDATE review_item SET state = $2, answer = $3, answers = $4, needed = $5, turn = $6, change_id = $7
       WHERE id = $1`,
      [id, state, answer && JSON.stringify(answer), answers, needed, turn, changeId],
    );
    await this.updateFreeTimes([id]);
  }

  private takeFree(queueId: string, userId: string, limit: number): Promise<ReviewItem[]> {
    return this.items.query<ReviewItem[]>(
      `SELECT ${COLUMNS} FROM review_item item
       WHERE item.queue_id = $1 AND ${ANSWERABLE} AND item.free_at <= now() AND ${notDecidedBy('$2')}
         AND NOT EXISTS (SELECT 1 FROM review_lease lease
           WHERE lease.item_id = item.id AND lease.user_id = $2 AND lease.until > now() OFFSET 0)
       ORDER BY item.turn, item.position LIMIT $3
       FOR NO KEY UPDATE OF item SKIP LOCKED`,
      [queueId, userId, limit],
    );
  }

  /** A returned item is the author's for longer than this. */
  private async extendLeases(queueId: string, userId: string, ids: readonly string[]): Promise<void> {
    await this.items.query('DELETE FROM review_lease WHERE item_id = ANY ($1) AND until <= now()', [ids]);
    await this.items.query(
      `INSERT INTO review_lease (item_id, user_id, queue_id, until)
       SELECT id, $2, $3, now() + make_interval(secs => ${LEASE_SECONDS}) FROM unnest($1::uuid[]) id
       ON CONFLICT (item_id, user_id) DO UPDATE SET until = greatest(review_lease.until, excluded.until)`,
      [ids, userId, queueId],
    );
    await this.updateFreeTimes(ids);
  }

  private async updateFreeTimes(ids: readonly string[]): Promise<void> {
    await this.items.query(
      `UPDATE review_item item
       SET free_at = CASE WHEN item.answers + taken.leases < item.needed THEN '-infinity'
         ELSE coalesce(taken.first_end, 'infinity') END
       FROM unnest($1::uuid[]) AS given (id), LATERAL (
         SELECT count(*) AS leases, min(until) AS first_end FROM review_lease
         WHERE item_id = given.id AND until > now()) taken
       WHERE item.id = given.id`,
      [[...ids]],
    );
  }
}

/** Without OFFSET 0, Postgres joins all items of a new queue, whose statistics it does not know, instead of looking at the first ones. */
const notDecidedBy = (user: string): string =>
  `NOT EXISTS (SELECT 1 FROM review_decision decision
     WHERE decision.item_id = item.id AND decision.user_id = ${user} AND NOT decision.withdrawn OFFSET 0)`;
