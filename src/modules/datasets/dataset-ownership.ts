import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetMemberRepository } from './persistence/dataset-member.repository';
import { DatasetWriter } from './persistence/dataset.writer';
import type { Dataset } from './domain/dataset';
import { LabelSetRepository } from './persistence/label-set.repository';
import { MetadataFieldRepository } from './persistence/metadata-field.repository';
import { RemovedFilesRepository } from './persistence/removed-files.repository';

@Injectable()
export class DatasetCopies {
  constructor(
    private readonly datasets: DatasetWriter,
    private readonly fields: MetadataFieldRepository,
    private readonly removedFiles: RemovedFilesRepository,
    private readonly labels: LabelSetRepository,
  ) {}

  /** Inserts the copy with the declared fields, the label set and the annotations of the source, and with what was removed from it. */
  async insert(source: Dataset, copy: Dataset): Promise<void> {
    await this.datasets.insert(copy, source.pointer?.annotationState);
    await this.fields.copy(source.id, copy.id);
    await this.removedFiles.copy(source.id, copy.id);
    await this.labels.copy(source.id, copy.id);
  }
}

/** Transfers or restricts a user's datasets when their role is reduced or they are deleted. */
@Injectable()
export class DatasetOwnership {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetWriter,
    private readonly members: DatasetMemberRepository,
  ) {}

  /** Runs in the caller's transaction; of one workspace if `workspaceId` is given. Returns how many datasets have a new owner. */
  async transferAll(fromUserId: string, toUserId: string, workspaceId?: string): Promise<number> {
    return this.transactions.run(async () => {
      const moved = await this.datasets.transferAll(fromUserId, toUserId, workspaceId);
      await this.members.deleteOfOwner(toUserId);
      return moved;
    });
  }

  /** Runs in the caller's transaction. Reduces the user's grants in the workspace to viewer. */
  async reduceToViewer(userId: string, workspaceId?: string): Promise<void> {
    await this.members.reduceToViewer(userId, workspaceId);
  }
}
