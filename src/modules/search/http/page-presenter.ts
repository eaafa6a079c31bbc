import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AskedThread } from '../../../common/platform/concurrency/asked-thread';
import { errorMessage } from '../../../common/platform/errors/error-code';
import type { StorageConfig } from '../../../common/platform/storage/create-storage';
import { STORAGE_CONFIG } from '../../../common/platform/storage/storage.module';
import { Settings } from '../../settings';
import { MEDIA_URLS, type MediaUrls } from '../media-urls';
import { presentExplore, type FoundPage } from './explore.presenter';
import type { PresentRequest, PresenterData } from './page-presenter.thread';

/**
 * Writes pages of results as JSON. A page of nine hundred previews takes as long as the rest of a search on the event loop, so while one is
 * written here, others are written in a thread.
 */
@Injectable()
export class PagePresenter implements OnModuleDestroy {
  private readonly logger = new Logger('Explore');
  private readonly storage: StorageConfig;
  private thread: AskedThread | undefined;
  private presenting = 0;
  private isClosed = false;

  constructor(
    @Inject(STORAGE_CONFIG) storage: StorageConfig,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
    @Inject(Settings) private readonly settings: Pick<Settings, 'isOn'>,
  ) {
    const { storageUrl, s3, mediaRoots, mediaBuckets, secretKey, baseUrl } = storage;
    this.storage = { storageUrl, s3, mediaRoots, mediaBuckets, secretKey, baseUrl };
  }

  async present(page: FoundPage): Promise<Buffer> {
    const isBusy = this.presenting > 0 && !this.isClosed;
    return (isBusy ? await this.presentedByThread(page) : undefined) ?? this.presentedHere(page);
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    await this.thread?.end();
  }

  private async presentedHere(page: FoundPage): Promise<Buffer> {
    this.presenting += 1;
    try {
      return await presentExplore(page, this.urls);
    } finally {
      this.presenting -= 1;
    }
  }

  /** Undefined if that fails: here it either succeeds, or fails with an error that keeps its class. */
  private async presentedByThread({ found, asked: { query, page }, names }: FoundPage): Promise<Buffer | undefined> {
    const asked = { query: { entityType: query.entityType, level: query.level }, page };
    const servesOriginals = this.settings.isOn('SERVE_ORIGINAL_IMAGE');
    try {
      const { buffer, byteOffset, byteLength } = await this.started().ask<Uint8Array<ArrayBuffer>>(
        (job): PresentRequest => ({ job, found, asked, names, servesOriginals }),
      );
      return Buffer.from(buffer, byteOffset, byteLength);
    } catch {
      return undefined;
    }
  }

  /** The first time, and whenever it has ended. */
  private started(): AskedThread {
    if (this.thread === undefined) {
      const data: PresenterData = { storage: this.storage };
      this.thread = new AskedThread({
        folder: __dirname,
        name: 'page-presenter.thread',
        data,
        onEnd: (reason) => this.onEnd(reason),
      });
    }
    return this.thread;
  }

  private onEnd(reason: Error): void {
    this.thread = undefined;
    if (!this.isClosed) this.logger.warn(`${errorMessage(reason)}; the next pages are written by another.`);
  }
}
