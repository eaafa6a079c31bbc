import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, In, PrimaryColumn, Repository } from 'typeorm';
import type { AnnotationSource, AnnotationState } from '../domain/annotation-state';

/** What sources say about media. It is kept as long as any dataset, snapshot, export or running evaluation points to it. */
@Entity('annotation_state')
export class AnnotationStateEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('jsonb')
  sources!: AnnotationSource[];

  @Column('timestamptz')
  createdAt!: Date;

  /** Since when nothing points to it; deleted after a grace period for readers. */
  @Column('timestamptz', { nullable: true })
  orphanedAt!: Date | null;
}

/** A file of annotations. */
@Entity('annotation_segment')
export class AnnotationSegmentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

const USED = `(
  EXISTS (SELECT 1 FROM dataset WHERE dataset.annotation_state = state.id)
  OR EXISTS (SELECT 1 FROM snapshot WHERE snapshot.annotation_state = state.id)
  OR EXISTS (SELECT 1 FROM export_task WHERE export_task.annotation_state = state.id)
  OR EXISTS (SELECT 1 FROM evaluation WHERE evaluation.annotation_state = state.id)
)`;

/** Each once, because states that follow each other name nearly the same. */
const NAMED = `
  SELECT DISTINCT (segment ->> 'id')::uuid AS id FROM annotation_state,
    jsonb_array_elements(sources) AS source, jsonb_array_elements(source -> 'segments') AS segment`;

@Injectable()
export class AnnotationStateRepository {
  constructor(
    @InjectRepository(AnnotationStateEntity) private readonly states: Repository<AnnotationStateEntity>,
    @InjectRepository(AnnotationSegmentEntity) private readonly segments: Repository<AnnotationSegmentEntity>,
  ) {}

  async find(id: string): Promise<AnnotationState | undefined> {
    const found = await this.states.findOneBy({ id });
    return found === null ? undefined : { id, sources: found.sources };
  }

  /** Returns the id of the new state. */
  async insert(sources: readonly AnnotationSource[]): Promise<string> {
    const id = randomUUID();
    await this.states.insert({ id, sources: [...sources], createdAt: new Date(), orphanedAt: null });
    return id;
  }

  /** Call it before the file is written, so that every file is known here. */
  async insertSegment(id: string): Promise<void> {
    await this.segments.insert({ id, createdAt: new Date() });
  }

  /** Marks states that no dataset, snapshot, export or running evaluation points to, and unmarks those in use again. */
  async markOrphans(now: Date): Promise<void> {
    await this.states.query(
      `UPDATE annotation_state AS state SET orphaned_at = $1 WHERE orphaned_at IS NULL AND NOT ${USED}`,
      [now],
    );
    await this.states.query(
      `UPDATE annotation_state AS state SET orphaned_at = NULL WHERE orphaned_at IS NOT NULL AND ${USED}`,
    );
  }

  /** As if they were written now. Returns how many there are. */
  async keepSegments(ids: readonly string[]): Promise<number> {
    const { affected } = await this.segments.update({ id: In([...ids]) }, { createdAt: new Date() });
    return affected ?? 0;
  }

  /** A dataset that begins to use one of them meanwhile makes the statement fail, by its foreign key. */
  async deleteOrphans(orphanedBefore: Date): Promise<number> {
    const [, count] = await this.states.query<[unknown, number]>(
      `DELETE FROM annotation_state AS state WHERE orphaned_at < $1 AND NOT ${USED}`,
      [orphanedBefore],
    );
    return count;
  }

  /** Files written before this time that no state names. */
  async unusedSegments(writtenBefore: Date): Promise<string[]> {
    const rows = await this.segments.query<{ id: string }[]>(
      `WITH named AS (${NAMED})
       SELECT id FROM annotation_segment AS segment
       WHERE created_at < $1 AND NOT EXISTS (SELECT 1 FROM named WHERE named.id = segment.id)`,
      [writtenBefore],
    );
    return rows.map(({ id }) => id);
  }

  async deleteSegments(ids: readonly string[]): Promise<void> {
    await this.segments.query('DELETE FROM annotation_segment WHERE id = ANY($1::uuid[])', [ids]);
  }

  async knownAmong(ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.segments.query<{ id: string }[]>(
      'SELECT id FROM annotation_segment WHERE id = ANY($1::uuid[])',
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
