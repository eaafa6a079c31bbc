import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TrendPoint } from '../domain/saved-view';

/** The evaluation of a view for a batch, pending or done. */
@Entity('view_evaluation')
export class ViewEvaluationEntity {
  @PrimaryColumn('uuid')
  viewId!: string;

  @Index()
  @PrimaryColumn('uuid')
  batchId!: string;

  /** When the media of the batch became visible. */
  @Column('timestamptz')
  arrivedAt!: Date;

  /** Null while the evaluation is pending. */
  @Column('integer', { nullable: true })
  count!: number | null;

  /** `told`: users were notified of the match. `gathered`: the summary of the batch will include it. */
  @Column('text', { nullable: true })
  alert!: 'told' | 'gathered' | null;
}

export interface GatheredMatch {
  readonly viewId: string;
  readonly viewName: string;
  readonly count: number;
}

/** Pending and finished evaluations of views for batches. */
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
    const rows = await this.evaluations.find({ where: { batchId, count: IsNull() }, order: { viewId: 'ASC' } });
    return rows.map(({ viewId }) => viewId);
  }

  /** Returns when the batch was added; undefined if no evaluation was pending. */
  async complete(viewId: string, batchId: string, count: number): Promise<Date | undefined> {
    const pending = await this.evaluations.findOneBy({ viewId, batchId, count: IsNull() });
    if (pending === null) return undefined;
    await this.evaluations.update({ viewId, batchId }, { count });
    return pending.arrivedAt;
  }

  /** Returns whether the evaluation was pending. */
  async cancel(viewId: string, batchId: string): Promise<boolean> {
    const { affected } = await this.evaluations.delete({ viewId, batchId, count: IsNull() });
    return affected === 1;
  }

  async hasPending(batchId: string): Promise<boolean> {
    return this.evaluations.existsBy({ batchId, count: IsNull() });
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
