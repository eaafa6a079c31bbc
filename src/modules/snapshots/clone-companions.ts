import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import type { Dataset } from '../datasets';

type Copy = (source: Dataset, clone: Dataset, owner: Principal) => Promise<void>;

/** What a clone carries only when asked for it. Each is copied in the transaction that makes the clone, with the source locked. */
@Injectable()
export class CloneCompanions {
  private copyViews: Copy | undefined;

  registerViews(copy: Copy): void {
    if (this.copyViews !== undefined) throw new Error('Two ways to copy the views of a clone');
    this.copyViews = copy;
  }

  async views(source: Dataset, clone: Dataset, owner: Principal): Promise<void> {
    if (this.copyViews === undefined) throw new Error('Nothing copies the views of a clone');
    await this.copyViews(source, clone, owner);
  }
}
