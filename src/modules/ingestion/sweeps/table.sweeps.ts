import { Inject, Injectable } from '@nestjs/common';
import { dropEdges } from '../../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { dropQuantised } from '../../../common/engine/vectors/quantised-files';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';
import { type ObjectStore, everyObject } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { GenerationRepository } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { dropMediaKeys } from './live-media';
import { generationOfKey, TABLE_PREFIXES } from '../storage-keys';

/** Deletes tables that the database doesn't know, as after restoring an older backup. */
@Injectable()
export class UnknownTableSweep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly identity: StoreIdentity,
    private readonly tables: MediaTableStore,
    private readonly generations: GenerationRepository,
  ) {}

  async sweep(now: Date): Promise<number> {
    const cutoff = await this.identity.unknownSince(now);
    const written = await this.lastWritten();
    // Queried after the listing: a generation is registered before its table is written.
    const known = await this.generations.knownAmong([...written.keys()]);
    const unknown = [...written].filter(([id, last]) => !known.has(id) && last < cutoff.getTime());
    for (const [id] of unknown) {
      await this.tables.drop(id);
      await dropEdges(this.store, id);
      await dropQuantised(this.store, id);
      await dropMediaKeys(this.store, id);
    }
    return unknown.length;
  }

  /** Time of the last write, by generation. */
  private async lastWritten(): Promise<Map<string, number>> {
    const written = new Map<string, number>();
    for (const prefix of TABLE_PREFIXES) {
      for await (const { key, lastModified } of everyObject(this.store, prefix)) {
        const id = generationOfKey(key);
        if (id !== undefined) written.set(id, Math.max(written.get(id) ?? 0, lastModified.getTime()));
      }
    }
    return written;
  }
}

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
