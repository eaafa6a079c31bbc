import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import type { TrendPoint } from '../domain/saved-view';
import { ViewEvaluationEntity } from './view-evaluation.entity';

export interface GatheredMatch {
  readonly viewId: string;
  readonly viewName: string;
  readonly count: number;
}

/** Which views are still to be evaluated for which batches, and what came of the others. */
@Injectable()
export class ViewEvaluationRepository {
  constructor(@InjectRepository(ViewEvaluationEntity) private readonly evaluations: Repository<ViewEvaluationEntity>) {}

  /** For every view that watches the dataset now; says how many there are. */
  async owe(datasetId: string, batchId: string, arrivedAt: Date): Promise<number> {
    const rows = await this.evaluations.query<unknown[]>(
      `INSERT INTO view_evaluation (view_id, batch_id, arrived_at)
       SELECT id, $2, $3 FROM saved_view WHERE dataset_id = $1 AND monitoring_enabled
       ON CONFLICT DO NOTHING RETURNING view_id`,
      [datasetId, batchId, arrivedAt],
    );
    return rows.length;
  }

  /** Of the batch; ids of views. */
  async owed(batchId: string): Promise<string[]> {
    const rows = await this.evaluations.find({ where: { batchId, count: IsNull() }, order: { viewId: 'ASC' } });
    return rows.map(({ viewId }) => viewId);
  }

  /** Answers when the batch came; undefined where nothing was owed. */
  async settle(viewId: string, batchId: string, count: number): Promise<Date | undefined> {
    const owed = await this.evaluations.findOneBy({ viewId, batchId, count: IsNull() });
    if (owed === null) return undefined;
    await this.evaluations.update({ viewId, batchId }, { count });
    return owed.arrivedAt;
  }

  /** Says whether it was owed. */
  async forgive(viewId: string, batchId: string): Promise<boolean> {
    const { affected } = await this.evaluations.delete({ viewId, batchId, count: IsNull() });
    return affected === 1;
  }

  async isOwed(batchId: string): Promise<boolean> {
    return this.evaluations.existsBy({ batchId, count: IsNull() });
  }

  /** Of how many views people were told one by one. */
  countTold(batchId: string): Promise<number> {
    return this.evaluations.countBy({ batchId, alert: 'told' });
  }

  async markAlerts(batchId: string, viewIds: readonly string[], alert: 'told' | 'gathered'): Promise<void> {
    if (viewIds.length > 0) await this.evaluations.update({ batchId, viewId: In([...viewIds]) }, { alert });
  }

  /** What is to be told in one notification; the oldest view first. */
  async gathered(batchId: string): Promise<GatheredMatch[]> {
    return this.evaluations.query<GatheredMatch[]>(
      `SELECT view.id AS "viewId", view.name AS "viewName", evaluation.count
       FROM view_evaluation evaluation JOIN saved_view view ON view.id = evaluation.view_id
       WHERE evaluation.batch_id = $1 AND evaluation.alert = 'gathered' AND view.alerting_enabled
       ORDER BY view.created_at, view.id`,
      [batchId],
    );
  }

  /** In the order in which the batches came. */
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
