import { Injectable } from '@nestjs/common';
import { DatasetReader, grants } from '../datasets';
import { CREATOR_WITHOUT_ACCESS, type Webhook } from './domain/webhook';

/** A webhook sends events only while its creator may change the dataset. */
@Injectable()
export class WebhookCreators {
  constructor(private readonly datasets: DatasetReader) {}

  /** Why deliveries have stopped; null while the creator may change the dataset. */
  async stopReason({ createdById, datasetId }: Webhook): Promise<string | null> {
    const role = createdById === null ? undefined : await this.datasets.roleOfUser(createdById, datasetId);
    return role !== undefined && grants(role, 'write') ? null : CREATOR_WITHOUT_ACCESS;
  }
}
