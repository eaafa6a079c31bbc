import { Inject, Injectable } from '@nestjs/common';
import { dropEdges } from '../../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { dropQuantised } from '../../../common/engine/vectors/quantised-files';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { GenerationRepository } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { dropMediaKeys } from './media-keys-file';

/** Grace period for readers that opened a table before it was orphaned. */
const GRACE_MS = 10 * 60 * 1000;

/** Deletes tables that no dataset points to and no running task writes. */
@Injectable()
export class GenerationSweep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly identity: StoreIdentity,
    private readonly tables: MediaTableStore,
    private readonly generations: GenerationRepository,
    private readonly tasks: TaskLedger,
  ) {}

  async sweep(now: Date): Promise<number> {
    await this.generations.markOrphans(await this.tasks.runningIds(), now);
    const orphans = await this.generations.listOrphans(new Date(now.getTime() - GRACE_MS));
    if (orphans.length > 0) await this.identity.verify();
    for (const id of orphans) {
      await this.tables.drop(id);
      await dropEdges(this.store, id);
      await dropQuantised(this.store, id);
      await dropMediaKeys(this.store, id);
      // Last, so that after a crash the row is still there for the next sweep.
      await this.generations.delete([id]);
    }
    return orphans.length;
  }
}
