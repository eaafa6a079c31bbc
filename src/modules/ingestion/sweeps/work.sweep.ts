import { Inject, Injectable } from '@nestjs/common';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';
import type { ObjectStore, StoredObject } from '../../../common/platform/storage/object-store';
import { STAGING_PREFIX } from '../../../common/platform/storage/staged-file';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { TaskLedger } from '../../tasks';
import { isOwnKey, taskOfWork } from '../storage-keys';
import { BatchModels, WORK_PREFIX } from '../../tables';

/** Deletes leftovers of interrupted uploads and finished tasks, and of unknown tasks after a delay. */
@Injectable()
export class WorkSweep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly identity: StoreIdentity,
    private readonly tasks: TaskLedger,
    private readonly models: BatchModels,
  ) {}

  async sweep(now: Date): Promise<number> {
    const cutoff = (await this.identity.unknownSince(now)).getTime();
    const stale = await this.remove(STAGING_PREFIX, (page) =>
      Promise.resolve(page.filter(({ key, lastModified }) => isOwnKey(key) && lastModified.getTime() < cutoff)),
    );
    const abandoned = await this.remove(WORK_PREFIX, (page) => this.ofNoUnfinishedTask(page, cutoff));
    return stale + abandoned;
  }

  private async remove(
    prefix: string,
    choose: (page: readonly StoredObject[]) => Promise<StoredObject[]>,
  ): Promise<number> {
    let removed = 0;
    let after: string | undefined;
    do {
      const page = await this.store.list(prefix, { limit: 1000, ...(after === undefined ? {} : { after }) });
      const chosen = await choose(page.objects);
      await this.store.delete(chosen.map(({ key }) => key));
      removed += chosen.length;
      after = page.next;
    } while (after !== undefined);
    return removed;
  }

  private async ofNoUnfinishedTask(page: readonly StoredObject[], cutoff: number): Promise<StoredObject[]> {
    // Queried after the listing: a task exists before the first object of its work is written.
    const tasks = [...new Set(page.flatMap(({ key }) => taskOfWork(key) ?? []))];
    const [kept, known] = [await this.tasks.unfinishedAmong(tasks), await this.tasks.knownAmong(tasks)];
    // Findings are deleted before the work, because a task may become retryable again when its dataset is restored, and must not refer to deleted files.
    for (const task of known) if (!kept.has(task)) await this.models.enrichment.forget(task);
    return page.filter(({ key, lastModified }) => {
      const task = taskOfWork(key);
      if (task === undefined || kept.has(task)) return false;
      return known.has(task) || lastModified.getTime() < cutoff;
    });
  }
}
