import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetReader, LabelSetRepository, type LabelSet } from '../datasets';

/** The label sets of datasets, whatever their status. */
@Injectable()
export class LabelSets {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly sets: LabelSetRepository,
    private readonly audit: AuditLog,
  ) {}

  of(datasetId: string): Promise<LabelSet> {
    return this.sets.find(datasetId);
  }

  replace(datasetId: string, set: LabelSet, caller: Principal): Promise<void> {
    return this.transactions.run(async () => {
      await this.datasets.lock(datasetId);
      await this.sets.save(datasetId, set);
      const details = { labels: set.labels.length, closed: set.closed };
      await this.audit.recordBy(caller, 'label_set_changed', datasetId, details);
    });
  }
}
