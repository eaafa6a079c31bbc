import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { StoreIdentity } from '../../common/platform/installation/store-identity';
import { deleteUnneeded, type ObjectStore, type StoredObject } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { EXPORTS_PREFIX, exportOfKey } from './domain/export';
import { ExportRepository } from './persistence/export.repository';

const MINUTE_MS = 60 * 1000;

/** Deletes expired archives and leftovers of interrupted attempts. */
@Injectable()
export class ExportSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly identity: StoreIdentity,
    private readonly exports: ExportRepository,
  ) {}

  @Interval(10 * MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('exports', this);
  }

  async sweep(now: Date): Promise<number> {
    await this.exports.expire(now);
    const cutoff = (await this.identity.unknownSince(now)).getTime();
    return deleteUnneeded(this.store, EXPORTS_PREFIX, (objects) => this.unkept(objects, cutoff));
  }

  private async unkept(objects: readonly StoredObject[], cutoff: number): Promise<string[]> {
    // Queried after the listing: an export is recorded before its archive is written.
    const { known, running, archives } = await this.exports.keptOf([
      ...new Set(objects.flatMap(({ key }) => exportOfKey(key) ?? [])),
    ]);
    return objects.flatMap(({ key, lastModified }) => {
      const taskId = exportOfKey(key);
      if (taskId === undefined || running.has(taskId) || archives.has(key)) return [];
      return known.has(taskId) || lastModified.getTime() < cutoff ? [key] : [];
    });
  }
}
