import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TrendPoint } from '../domain/saved-view';

/** The evaluation of a view for a batch: pending, waiting for evaluations of predictions, or done. */
@Entity('view_evaluation')
@Index(['viewId'], { where: '(waits_for IS NOT NULL)' })
export class ViewEvaluationEntity {
  @PrimaryColumn('uuid')
  viewId!: string;

  @Index()
  @PrimaryColumn('uuid')
  batchId!: string;

  /** When the media of the batch became visible. */
  @Column('timestamptz')
  arrivedAt!: Date;

  /** Null while the evaluation is pending or waits. */
  @Column('integer', { nullable: true })
  count!: number | null;

  /** Evaluations of predictions, each of which has to compare a picture of the batch first; null if it need not wait. */
  @Column('uuid', { array: true, nullable: true })
  waitsFor!: string[] | null;

  /** `told`: users were notified of the match. `gathered`: the summary of the batch will include it. */
  @Column('text', { nullable: true })
  alert!: 'told' | 'gathered' | null;
}

export interface ViewInBatch {
  readonly viewId: string;
  readonly batchId: string;
}

const PENDING = { count: IsNull(), waitsFor: IsNull() };

export interface GatheredMatch {
  readonly viewId: string;
  readonly viewName: string;
  readonly count: number;
}

/** Pending, waiting and finished evaluations of views for batches. */
@Injectable()
export class ViewEvaluationRepository {
  constructor(@InjectRepository(ViewEvaluationEntity) private readonly evaluations: Repository<ViewEvaluationEntity>) {}

  /** Adds a pending evaluation for every monitored view of the dataset. Returns how many there are. */
  async enqueue(datasetId: string, batchId: string, arrivedAt: Date): Promise<number> {
    const rows = await this.evaluations.query<unknown[]>(
      `INSERT INTO view_evaluation (view_id, batch_id, arrived_at)
       SELECT id, $2, $3 FROM saved_view WHERE dataset_id = $1 AND monitoring_enabled
       ON CONFLICT DO NOTHING RETURNING view_id`,
      [datasetId, batchId, arrivedAt],
    );
    return rows.length;
  }

  /** Ids of the views whose evaluation for the batch is pending. */
  async listPending(batchId: string): Promise<string[]> {
    const rows = await this.evaluations.find({ where: { batchId, ...PENDING }, order: { viewId: 'ASC' } });
    return rows.map(({ viewId }) => viewId);
  }

  /** Also of those that wait. */
  async listUncounted(batchId: string): Promise<string[]> {
    const rows = await this.evaluations.findBy({ batchId, count: IsNull() });
    return rows.map(({ viewId }) => viewId);
  }

  /** `waitsFor` has the evaluations of predictions by view. */
  async wait(batchId: string, waitsFor: ReadonlyMap<string, readonly string[]>): Promise<void> {
    await this.evaluations.query(
      `UPDATE view_evaluation SET waits_for = ARRAY(SELECT jsonb_array_elements_text(asked.value))::uuid[]
       FROM jsonb_each($2::jsonb) asked WHERE batch_id = $1 AND view_id = asked.key::uuid AND count IS NULL`,
      [batchId, JSON.stringify(Object.fromEntries(waitsFor))],
    );
  }

  async stopWaiting(batchId: string, viewIds: readonly string[]): Promise<void> {
    if (viewIds.length > 0) await this.evaluations.update({ batchId, viewId: In([...viewIds]) }, { waitsFor: null });
  }

  /** What waits for one of these views, without its newest batches. */
  async listWaitingBefore(viewIds: readonly string[], newest: number): Promise<ViewInBatch[]> {
    return this.evaluations.query<ViewInBatch[]>(
      `SELECT view_id AS "viewId", batch_id AS "batchId" FROM (
         SELECT view_id, batch_id, row_number() OVER (PARTITION BY view_id ORDER BY arrived_at DESC, batch_id) AS place
         FROM view_evaluation WHERE view_id = ANY($1) AND waits_for IS NOT NULL
       ) waiting WHERE place > $2 ORDER BY view_id, batch_id`,
      [viewIds, newest],
    );
  }

  /** The batches in which views wait for an evaluation of predictions, oldest first. */
  async listWaitingFor(datasetId: string, evaluationId: string): Promise<string[]> {
    const rows = await this.evaluations.query<{ batchId: string }[]>(
      `SELECT batch_id AS "batchId" FROM view_evaluation JOIN saved_view view ON view.id = view_id
       WHERE view.dataset_id = $1 AND waits_for IS NOT NULL AND $2 = ANY(waits_for)
       GROUP BY batch_id ORDER BY min(arrived_at), batch_id`,
      [datasetId, evaluationId],
    );
    return rows.map(({ batchId }) => batchId);
  }

  /** By view: in how many batches it waits. Views that do not wait are missing. */
  async countWaiting(datasetId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.evaluations.query<{ id: string; waiting: number }[]>(
      `SELECT view_id AS id, count(*)::int AS waiting FROM view_evaluation JOIN saved_view view ON view.id = view_id
       WHERE view.dataset_id = $1 AND waits_for IS NOT NULL GROUP BY view_id`,
      [datasetId],
    );
    return new Map(rows.map(({ id, waiting }) => [id, waiting]));
  }

  /** Returns when the batch was added; undefined if the evaluation was done already. */
  async complete(viewId: string, batchId: string, count: number): Promise<Date | undefined> {
    const pending = await this.evaluations.findOneBy({ viewId, batchId, count: IsNull() });
    if (pending === null) return undefined;
    await this.evaluations.update({ viewId, batchId }, { count, waitsFor: null });
    return pending.arrivedAt;
  }

  /** Returns whether the evaluation was pending. */
  async cancel(viewId: string, batchId: string): Promise<boolean> {
    const { affected } = await this.evaluations.delete({ viewId, batchId, count: IsNull() });
    return affected === 1;
  }

  async hasPending(batchId: string): Promise<boolean> {
    return this.evaluations.existsBy({ batchId, ...PENDING });
  }

  /** How many views of the batch have had a notification of their own. */
  countAlerted(batchId: string): Promise<number> {
    return this.evaluations.countBy({ batchId, alert: 'told' });
  }

  async markAlerts(batchId: string, viewIds: readonly string[], alert: 'told' | 'gathered'): Promise<void> {
    if (viewIds.length > 0) await this.evaluations.update({ batchId, viewId: In([...viewIds]) }, { alert });
  }

  /** The matches to report in one notification, oldest view first. */
  async listGathered(batchId: string): Promise<GatheredMatch[]> {
    return this.evaluations.query<GatheredMatch[]>(
      `SELECT view.id AS "viewId", view.name AS "viewName", evaluation.count
       FROM view_evaluation evaluation JOIN saved_view view ON view.id = evaluation.view_id
       WHERE evaluation.batch_id = $1 AND evaluation.alert = 'gathered' AND view.alerting_enabled
       ORDER BY view.created_at, view.id`,
      [batchId],
    );
  }

  /** Ordered by the time at which the batches were added. */
  async trend(viewId: string): Promise<TrendPoint[]> {
    const rows = await this.evaluations.find({
      where: { viewId, count: Not(IsNull()) },
      order: { arrivedAt: 'ASC', batchId: 'ASC' },
    });
    let cumulative = 0;
    return rows.map(({ arrivedAt, batchId, count }) => {
      cumulative += count!;
      return { timestamp: arrivedAt, batchId, count: count!, cumulative };
    });
  }
}
