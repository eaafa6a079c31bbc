import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import type { TrendPoint } from '../domain/saved-view';
import { ViewEvaluationEntity } from './view-evaluation.entity';

/** Which views are still to be evaluated for which batches, and what came of the others. */
@Injectable()
export class ViewEvaluationRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** For every view that watches the dataset now; says how many there are. */
  async owe(datasetId: string, batchId: string, arrivedAt: Date): Promise<number> {
    const rows = await this.transactions.current().query<unknown[]>(
      `INSERT INTO view_evaluation (view_id, batch_id, arrived_at)
       SELECT id, $2, $3 FROM saved_view WHERE dataset_id = $1 AND monitoring_enabled
       ON CONFLICT DO NOTHING RETURNING view_id`,
      [datasetId, batchId, arrivedAt],
    );
    return rows.length;
  }

  /** Of the batch; ids of views. */
  async owed(batchId: string): Promise<string[]> {
    const rows = await this.transactions
      .current()
      .find(ViewEvaluationEntity, { where: { batchId, count: IsNull() }, order: { viewId: 'ASC' } });
    return rows.map(({ viewId }) => viewId);
  }

  /** Answers when the batch came; undefined where nothing was owed. */
  async settle(viewId: string, batchId: string, count: number): Promise<Date | undefined> {
    const manager = this.transactions.current();
    const owed = await manager.findOneBy(ViewEvaluationEntity, { viewId, batchId, count: IsNull() });
    if (owed === null) return undefined;
    await manager.update(ViewEvaluationEntity, { viewId, batchId }, { count });
    return owed.arrivedAt;
  }

  /** Says whether it was owed. */
  async forgive(viewId: string, batchId: string): Promise<boolean> {
    const { affected } = await this.transactions
      .current()
      .delete(ViewEvaluationEntity, { viewId, batchId, count: IsNull() });
    return affected === 1;
  }

  /** In the order in which the batches came. */
  async trend(viewId: string): Promise<TrendPoint[]> {
    const rows = await this.transactions.current().find(ViewEvaluationEntity, {
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
