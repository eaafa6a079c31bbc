import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../../common/platform/database/sweeps';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';
import { TagFileRepository } from './persistence/tag-file.repository';
import { TagFiles } from './tag-files';

const MINUTE_MS = 60 * 1000;
/** Grace period for readers that opened a file before it was orphaned. */
const GRACE_MS = 10 * MINUTE_MS;

/** Deletes tag files without references, and those that the database does not know. */
@Injectable()
export class TagFileSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly transactions: TransactionRunner,
    private readonly repository: TagFileRepository,
    private readonly files: TagFiles,
    private readonly identity: StoreIdentity,
  ) {}

  @Interval(5 * MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('tag-files', this);
  }

  async sweep(now: Date): Promise<number> {
    await this.repository.markOrphans(now);
    let removed = 0;
    for (const id of await this.repository.listOrphans(new Date(now.getTime() - GRACE_MS))) {
      if (await this.transactions.run(() => this.remove(id))) removed++;
    }
    return removed + (await this.files.removeUnknown(await this.identity.unknownSince(now)));
  }

  private async remove(id: string): Promise<boolean> {
    if (!(await this.repository.lockUnused(id))) return false;
    await this.files.remove(id);
    return true;
  }
}
