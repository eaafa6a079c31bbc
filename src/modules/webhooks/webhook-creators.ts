import { Injectable } from '@nestjs/common';
import { DatasetReader, grants } from '../datasets';
import { CREATOR_WITHOUT_ACCESS, type Webhook } from './domain/webhook';

/** A webhook tells only what its creator may still know: it is for those who may change the dataset. */
@Injectable()
export class WebhookCreators {
  constructor(private readonly datasets: DatasetReader) {}

  /** Why nothing is sent any more, by what the creator is now; null while they may change the dataset. */
  async stopReason({ createdById, datasetId }: Webhook): Promise<string | null> {
    const role = createdById === null ? undefined : await this.datasets.roleOfUser(createdById, datasetId);
    return role !== undefined && grants(role, 'write') ? null : CREATOR_WITHOUT_ACCESS;
  }
}
