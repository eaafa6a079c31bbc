import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import { DatasetOwnership } from '../datasets';
import { localAdmin, UserRepository } from '../workspaces';
import type { PendingWork } from './domain/provider-work';
import { IdentityProvider } from './identity-provider';
import { ProviderWorkRepository } from './persistence/provider-work.repository';

/** The second half of a deletion: at the provider, then here. Idempotent. */
@Injectable()
export class FinishDeletionStep {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly provider: IdentityProvider,
    private readonly users: UserRepository,
    private readonly ownership: DatasetOwnership,
    private readonly work: ProviderWorkRepository,
  ) {}

  async run({ subject, heirId }: Pick<PendingWork, 'subject' | 'heirId'>): Promise<void> {
    await this.provider.delete(subject);
    await this.transactions.run(async () => {
      const user = await this.users.findBySubject(subject);
      if (user !== undefined) {
        // Datasets created since the first half by a request that was still running.
        await this.ownership.transferAll(user.id, await this.heir(heirId));
        await this.users.delete(user.id);
      }
      await this.work.finishAll(subject);
    });
  }

  /** The local admin if the heir was deleted too: workspace admins see its datasets. */
  private async heir(heirId: string | null): Promise<string> {
    const heir = heirId === null ? undefined : await this.users.find(heirId);
    return heir?.id ?? localAdmin().userId;
  }
}
