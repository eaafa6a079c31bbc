import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SiteModels } from '../../test/support/site-models';
import { ModelServerProcess } from './model-server';
import { pictureFolder } from './picture-folder';
import { RunningService } from './running-service';

const POLL_MS = 100;
const CAPTIONER = 'bench-captioner_v00';

/** The behaviour of the server that captions pictures. */
export interface ServerPace {
  readonly delayMs: number;
  readonly atOnce: number;
}

/** A service with a dataset of small pictures, and a server that captions them. */
export class CaptionedDataset {
  private constructor(
    private readonly dataDir: string,
    readonly server: ModelServerProcess,
    private readonly models: SiteModels,
    readonly pictures: number,
    public service: RunningService,
    private readonly id: string,
  ) {}

  static async make(pictures: number, { delayMs, atOnce }: ServerPace): Promise<CaptionedDataset> {
    const folder = await pictureFolder(pictures);
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-enrich-'));
    const server = await ModelServerProcess.start({ delayMs, caption: 'A small picture of coloured shapes' });
    const models = await SiteModels.make();
    await models.addCaptioner(CAPTIONER, server.url, { server: { atOnce } });
    const service = await RunningService.start(dataDir, [folder], { MODELS_DIR: models.folder });
    const id = await service.createFromFolder('Bench', folder);
    await service.untilReady(id);
    return new CaptionedDataset(dataDir, server, models, pictures, service, id);
  }

  /** Starts captioning a copy, and returns its id. */
  async start(): Promise<string> {
    const { dataset_id: copy } = await this.service.ask<{ dataset_id: string }>(
      'POST',
      `/api/v1/dataset/${this.id}/enrich_dataset`,
      { enrichment_models: { CAPTION_IMAGES: CAPTIONER } },
    );
    return copy;
  }

  async untilReady(copy: string): Promise<void> {
    for (;;) {
      const { status_new: status, fatal_error_msg: error } = await this.service.ask<{
        status_new: string;
        fatal_error_msg: string | null;
      }>('GET', `/api/v1/dataset/${copy}`);
      if (status === 'READY') return;
      if (status !== 'INDEXING') throw new Error(`The copy is ${status}: ${error}`);
      await delay(POLL_MS);
    }
  }

  /** The number of pictures of a copy that have a caption. */
  async captioned(copy: string): Promise<number> {
    const vql = encodeURIComponent(JSON.stringify([{ text: { op: 'fts', value: 'coloured' } }]));
    let captioned = 0;
    for (let page = 0, pages = 1; page < pages; page += 1) {
      const { clusters, total_pages } = await this.service.ask<{
        clusters: { n_images: number }[];
        total_pages: number;
      }>('GET', `/api/v1/explore/${copy}?threshold=4&page_number=${page}&vql=${vql}`);
      captioned += clusters.reduce((sum, { n_images: images }) => sum + images, 0);
      pages = total_pages;
    }
    return captioned;
  }

  async killAndRestart(): Promise<void> {
    await this.service.stop('SIGKILL');
    this.service = await RunningService.start(this.dataDir, [tmpdir()], { MODELS_DIR: this.models.folder });
  }

  async remove(): Promise<void> {
    await this.service.stop();
    await this.server.close();
    await this.models.remove();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
