import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import type { Dataset } from '../datasets';

type Copy = (source: Dataset, clone: Dataset, owner: Principal) => Promise<void>;

/** Contents of a clone that other modules know, copied in the transaction that creates it, with the source locked. */
@Injectable()
export class CloneCompanions {
  private copyViews: Copy | undefined;
  private readonly copies: Copy[] = [];

  /** Of what every clone has. */
  register(copy: Copy): void {
    this.copies.push(copy);
  }

  async always(source: Dataset, clone: Dataset, owner: Principal): Promise<void> {
    for (const copy of this.copies) await copy(source, clone, owner);
  }

  registerViews(copy: Copy): void {
    if (this.copyViews !== undefined) throw new Error('registerViews was called twice');
    this.copyViews = copy;
  }

  async views(source: Dataset, clone: Dataset, owner: Principal): Promise<void> {
    if (this.copyViews === undefined) throw new Error('registerViews was not called');
    await this.copyViews(source, clone, owner);
  }
}
