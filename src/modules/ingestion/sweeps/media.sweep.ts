import { Inject, Injectable, Logger } from '@nestjs/common';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import { StoreIdentity } from '../../../common/platform/installation/store-identity';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { GenerationRepository } from '../../datasets';
import { TaskLedger } from '../../tasks';
import { OWN_MEDIA_KEYS } from '../storage-keys';
import { ChunkJournalRepository, type KeptChunks, MediaLock } from '../../tables';
import { UploadRepository } from '../persistence/upload.repository';
import { LiveMedia, type UnreadableTable } from './live-media';

const PAGE = 1000;

interface Unread {
  readonly tables: readonly TableVersion[];
  readonly chunks: readonly KeptChunks[];
}

type Removal = { readonly removed: number } | { readonly unread: Unread } | 'a task runs';

/** The messages of an error and its causes. */
function causesOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) messages.push(at.message);
  return messages.join(': ');
}

/** Deletes originals, thumbnails and frames that are not referenced by an upload, a published table or a task that can be retried: mark and sweep. */
@Injectable()
export class MediaSweep {
  private readonly logger = new Logger(MediaSweep.name);

  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly identity: StoreIdentity,
    private readonly tables: MediaTableStore,
    private readonly generations: GenerationRepository,
    private readonly tasks: TaskLedger,
    private readonly media: MediaLock,
    private readonly uploads: UploadRepository,
    private readonly journal: ChunkJournalRepository,
  ) {}

  async sweep(now: Date): Promise<number> {
    if ((await this.tasks.runningIds()).length > 0) return 0;
    const cutoff = await this.identity.unknownSince(now);
    const live = new LiveMedia(this.tables, this.store, this.journal);
    await live.read(await this.generations.published());
    await live.readChunks(await this.keptChunks());
    if (await this.hasUnreadableTables(live)) return 0;
    let removed = 0;
    for await (const old of this.pagesOfOld(cutoff.getTime())) {
      const suspects = old.filter((key) => !live.has(key));
      if (suspects.length === 0) continue;
      const part = await this.removeDead(suspects, live);
      if (part === undefined) break;
      removed += part;
    }
    return removed;
  }

  /** While a table is unreadable, any object may be referenced by it. Logs the unreadable tables with the reason. */
  private async hasUnreadableTables({ unreadable }: LiveMedia): Promise<boolean> {
    for (const table of unreadable) this.logger.error(await this.describe(table));
    return unreadable.length > 0;
  }

  private async describe({ at, error }: UnreadableTable): Promise<string> {
    const datasets = (await this.generations.datasetsAt(at)).map(({ id, name }) => `${JSON.stringify(name)} (${id})`);
    const owners = datasets.join(', ') || 'a dataset that was deleted meanwhile';
    return `Unused media are not deleted, because the table tables/${at.generation}.lance of ${owners} cannot be read at version ${at.version}: ${causesOf(error)}. Restore it from a backup, or delete the dataset.`;
  }

  private async *pagesOfOld(cutoff: number): AsyncGenerator<string[]> {
    for (const [prefix, form] of Object.entries(OWN_MEDIA_KEYS)) {
      let after: string | undefined;
      do {
        const page = await this.store.list(prefix, { limit: PAGE, ...(after === undefined ? {} : { after }) });
        yield page.objects.flatMap(({ key, lastModified }) =>
          form.test(key) && lastModified.getTime() < cutoff ? [key] : [],
        );
        after = page.next;
      } while (after !== undefined);
    }
  }

  /** Undefined if a task is running; the next sweep continues. */
  private async removeDead(suspects: readonly string[], live: LiveMedia): Promise<number | undefined> {
    for (;;) {
      const removal = await this.media.holdAlone(() => this.tryToRemove(suspects, live));
      if (removal === 'a task runs') return undefined;
      if ('removed' in removal) return removal.removed;
      await live.read(removal.unread.tables);
      await live.readChunks(removal.unread.chunks);
      if (await this.hasUnreadableTables(live)) return undefined;
    }
  }

  /** Uploads and starting tasks are blocked meanwhile, so unreferenced objects stay unreferenced. */
  private async tryToRemove(suspects: readonly string[], live: LiveMedia): Promise<Removal> {
    // A running task may reuse stored objects without having recorded the reference yet.
    if ((await this.tasks.runningIds()).length > 0) return 'a task runs';
    // Queried after the tasks: versions that a finished task published are seen here.
    const tables = live.unread(await this.generations.published());
    const chunks = live.unreadChunks(await this.keptChunks());
    if (tables.length > 0 || chunks.length > 0) return { unread: { tables, chunks } };
    const uploaded = await this.uploads.referencedKeys(suspects);
    const dead = suspects.filter((key) => !uploaded.has(key) && !live.has(key));
    await this.store.delete(dead);
    return { removed: dead.length };
  }

  private async keptChunks(): Promise<KeptChunks[]> {
    const kept = await this.journal.keptChunks();
    const unfinished = await this.tasks.unfinishedAmong(kept.map(({ taskId }) => taskId));
    return kept.filter(({ taskId }) => unfinished.has(taskId));
  }
}
