import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, Repository, type FindOptionsWhere, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Decision } from '../domain/decision';

/** Ids are unique within a dataset only: a clone has those of its source. Media are named by their ids, which a reindex keeps. */
@Entity('duplicate_decision')
@Index(['datasetId', 'id'], { unique: true })
@Index(['datasetId', 'revision', 'number'])
@Index(['datasetId', 'batchId'])
export class DuplicateDecisionEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('integer')
  number!: number;

  @Column('uuid')
  id!: string;

  @Column('uuid')
  batchId!: string;

  @Column('uuid', { array: true })
  kept!: string[];

  @Column('uuid', { array: true })
  removed!: string[];

  @Column('uuid', { nullable: true })
  tagId!: string | null;

  @Column('text')
  decidedBy!: string;

  @Column('timestamptz')
  decidedAt!: Date;

  /** Undone decisions stay as rows, so that readers that have them in memory notice. */
  @Column('timestamptz', { nullable: true })
  undoneAt!: Date | null;

  /** Grows with each change within the dataset: readers ask for newer ones. */
  @Column('integer')
  revision!: number;
}

/** Which decisions are meant: one, or all that were made together. */
export type DecisionChoice = { readonly id: string } | { readonly batchId: string };

export interface ChangedDecision extends Pick<Decision, 'number' | 'kept' | 'removed'> {
  readonly isUndone: boolean;
  readonly revision: number;
}

const PER_INSERT = 1_000;
const PER_READ = 5_000;

/** Changes are made while the dataset is locked, so numbers and revisions have no gaps that fill later. */
@Injectable()
export class DuplicateDecisionRepository {
  constructor(
    @InjectRepository(DuplicateDecisionEntity) private readonly decisions: Repository<DuplicateDecisionEntity>,
  ) {}

  /** 0 without decisions. */
  async latest(datasetId: string): Promise<{ readonly number: number; readonly revision: number }> {
    const [row] = await this.decisions.query<{ number: number; revision: number }[]>(
      `SELECT coalesce(max(number), 0) AS number, coalesce(max(revision), 0) AS revision
       FROM duplicate_decision WHERE dataset_id = $1`,
      [datasetId],
    );
    return row!;
  }

  async insert(datasetId: string, revision: number, all: Iterable<Decision>): Promise<void> {
    let part: DuplicateDecisionEntity[] = [];
    for (const { kept, removed, ...decision } of all) {
      const row = { ...decision, kept: [...kept], removed: [...removed], datasetId, revision, undoneAt: null };
      part.push(row);
      if (part.length < PER_INSERT) continue;
      await this.insertPart(part);
      part = [];
    }
    if (part.length > 0) await this.insertPart(part);
  }

  /** Part by part, because a call of the database must not take long. */
  async undo(datasetId: string, choice: DecisionChoice, revision: number, undoneAt: Date): Promise<number> {
    const numbers = (await this.choose(datasetId, choice)).map(({ number }) => number);
    for (let at = 0; at < numbers.length; at += PER_READ)
      await this.decisions.update({ datasetId, number: In(numbers.slice(at, at + PER_READ)) }, { undoneAt, revision });
    return numbers.length;
  }

  /** Those in force. */
  async choose(datasetId: string, choice: DecisionChoice): Promise<Pick<Decision, 'number' | 'tagId'>[]> {
    const where = { datasetId, undoneAt: IsNull(), ...choice };
    return this.decisions.find({ select: { number: true, tagId: true }, where });
  }

  /** Changes since a revision, part by part, in the order of revisions. */
  async *changes(datasetId: string, since: number): AsyncGenerator<readonly ChangedDecision[]> {
    for (let after = { revision: since, number: Infinity }; ;) {
      const rows = await this.changesAfter(datasetId, after);
      if (rows.length === 0) return;
      yield rows;
      after = rows.at(-1)!;
    }
  }

  /** Those in force, the newest first. */
  async page(datasetId: string, page: number, limit: number): Promise<{ all: Decision[]; total: number }> {
    const where: FindOptionsWhere<DuplicateDecisionEntity> = { datasetId, undoneAt: IsNull() };
    const [all, total] = await this.decisions.findAndCount({
      where,
      order: { number: 'DESC' },
      skip: page * limit,
      take: limit,
    });
    return { all, total };
  }

  /** Who decided, and when. */
  async ofNumbers(datasetId: string, numbers: readonly number[]): Promise<ReadonlyMap<number, Decision>> {
    const rows = await this.decisions.findBy({ datasetId, number: In([...numbers]) });
    return new Map(rows.map((row) => [row.number, row]));
  }

  /** The numbers of those in force, ascending, part by part. */
  async *numbers(datasetId: string): AsyncGenerator<readonly number[]> {
    for (let after = 0; ;) {
      const rows = await this.decisions.find({
        select: { number: true },
        where: { datasetId, undoneAt: IsNull(), number: MoreThan(after) },
        order: { number: 'ASC' },
        take: PER_READ,
      });
      if (rows.length === 0) return;
      yield rows.map(({ number }) => number);
      after = rows.at(-1)!.number;
    }
  }

  /** Those in force, with their ids. */
  async copy(from: string, to: string): Promise<void> {
    for await (const numbers of this.numbers(from))
      await this.decisions.query(
        `INSERT INTO duplicate_decision
           (dataset_id, number, id, batch_id, kept, removed, tag_id, decided_by, decided_at, undone_at, revision)
         SELECT $2, number, id, batch_id, kept, removed, tag_id, decided_by, decided_at, NULL, 1
         FROM duplicate_decision WHERE dataset_id = $1 AND undone_at IS NULL AND number BETWEEN $3 AND $4`,
        [from, to, numbers[0], numbers.at(-1)],
      );
  }

  /** Ids come as texts, which are read faster than arrays. */
  private async changesAfter(
    datasetId: string,
    { revision, number }: { revision: number; number: number },
  ): Promise<ChangedDecision[]> {
    const last = Number.isFinite(number) ? number : 2 ** 31 - 1;
    const rows = await this.decisions.query<
      (Omit<ChangedDecision, 'kept' | 'removed'> & Record<'kept' | 'removed', string>)[]
    >(
      `SELECT number, array_to_string(kept, ',') AS kept, array_to_string(removed, ',') AS removed,
         undone_at IS NOT NULL AS "isUndone", revision
       FROM duplicate_decision
       WHERE dataset_id = $1 AND (revision, number) > ($2, $3)
       ORDER BY revision, number LIMIT ${PER_READ}`,
      [datasetId, revision, last],
    );
    return rows.map(({ kept, removed, ...row }) => ({ ...row, kept: listIn(kept), removed: listIn(removed) }));
  }

  /** Arrays of arrays do not go through unnest, so each is a text that is cast. */
  private async insertPart(rows: readonly DuplicateDecisionEntity[]): Promise<void> {
    const [{ datasetId, revision, batchId, tagId, decidedBy, decidedAt }] = rows as [DuplicateDecisionEntity];
    const listOf = (ids: readonly string[]): string => `{${ids.join(',')}}`;
    await this.decisions.query(
      `INSERT INTO duplicate_decision
         (dataset_id, revision, batch_id, tag_id, decided_by, decided_at, number, id, kept, removed)
       SELECT $1, $2, $3, $4, $5, $6, number, id, kept::uuid[], removed::uuid[]
       FROM unnest($7::integer[], $8::uuid[], $9::text[], $10::text[]) AS given (number, id, kept, removed)`,
      [
        ...[datasetId, revision, batchId, tagId, decidedBy, decidedAt],
        rows.map(({ number }) => number),
        rows.map(({ id }) => id),
        rows.map(({ kept }) => listOf(kept)),
        rows.map(({ removed }) => listOf(removed)),
      ],
    );
  }
}

const listIn = (text: string): string[] => (text === '' ? [] : text.split(','));
