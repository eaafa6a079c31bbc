import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AskedThread } from '../../../../common/platform/concurrency/asked-thread';
import { errorMessage } from '../../../../common/platform/errors/error-code';
import type { StorageConfig } from '../../../../common/platform/storage/create-storage';
import { STORAGE_CONFIG } from '../../../../common/platform/storage/storage.module';
import { Settings } from '../../../settings';
import { MEDIA_URLS, type MediaUrls } from '../../media/signed-media-urls';
import { presentClusters, presentExplore, presentPage, type FoundPage } from './explore.presenter';
import type { PresentRequest, PresenterData } from './page-presenter.thread';

/** Above this backlog, serialising here is faster. */
const MOST_HANDED = 4;
/** Smaller pages are serialised faster than a thread could take them. */
const LEAST_CLUSTERS = 20;

/** Serialises pages of results as JSON. A page of nine hundred previews takes as long as the rest of a search, so a thread serialises half of it. */
@Injectable()
export class PagePresenter implements OnModuleDestroy {
  private readonly logger = new Logger('Explore');
  private readonly storage: StorageConfig;
  private thread: AskedThread | undefined;
  /** The number of pages in the thread. */
  private handed = 0;
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
    const { length } = page.found.clusters;
    if (length < LEAST_CLUSTERS || this.handed >= MOST_HANDED || this.isClosed) return presentExplore(page, this.urls);
    const half = Math.floor(length / 2);
    const [first, second] = [withClusters(page, 0, half), withClusters(page, half)];
    const [byThread, here] = await Promise.all([this.presentedByThread(first), presentClusters(second, this.urls)]);
    return presentPage(page, [byThread ?? (await presentClusters(first, this.urls)), here]);
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    await this.thread?.end();
  }

  /** Undefined on failure: the caller then serialises the clusters itself, which succeeds or throws an error of the right class. */
  private async presentedByThread({
    found,
    asked: { query, page },
    names,
  }: FoundPage): Promise<Uint8Array | undefined> {
    const asked = { query: { entityType: query.entityType, level: query.level }, page };
    const servesOriginals = this.settings.isOn('SERVE_ORIGINAL_IMAGE');
    this.handed += 1;
    try {
      return await this.started().ask<Uint8Array>((job): PresentRequest => ({
        job,
        found,
        asked,
        names,
        servesOriginals,
      }));
    } catch {
      return undefined;
    } finally {
      this.handed -= 1;
    }
  }

  /** Starts the thread on first use, and again after it has ended. */
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

const withClusters = ({ found, ...rest }: FoundPage, first: number, end?: number): FoundPage => ({
  ...rest,
  found: { ...found, clusters: found.clusters.slice(first, end) },
});
