import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetMemberRepository } from './persistence/dataset-member.repository';
import { DatasetWriter } from './persistence/dataset.writer';

/** What becomes of somebody's datasets when they are somebody less, or gone. */
@Injectable()
export class DatasetOwnership {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetWriter,
    private readonly members: DatasetMemberRepository,
  ) {}

  /** Joins the transaction. Of one workspace where it is named. Answers how many datasets have a new owner. */
  async transferAll(fromUserId: string, toUserId: string, workspaceId?: string): Promise<number> {
    return this.transactions.run(async () => {
      const moved = await this.datasets.transferAll(fromUserId, toUserId, workspaceId);
      await this.members.deleteOfOwner(toUserId);
      return moved;
    });
  }

  /** Joins the transaction. What was shared with them in the workspace for more than looking is shared for looking. */
  async reduceToViewer(userId: string, workspaceId?: string): Promise<void> {
    await this.members.reduceToViewer(userId, workspaceId);
  }
}
