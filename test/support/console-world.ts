import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser';
import { ConsolePage } from './console-page';
import { ProgramHome } from './program-home';
import { UNHURRIED_MS, waitUntil } from './wait-until';

/** The program, a browser and a page of the console. They take seconds to start, so many tests share them. */
export class ConsoleWorld {
  private constructor(
    readonly home: ProgramHome,
    readonly browser: Browser,
    readonly page: ConsolePage,
    private readonly media: string,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ConsoleWorld> {
    const media = await realpath(await mkdtemp(join(tmpdir(), 'dms-media-')));
    const roots = ['pictures', 'share'].map((name) => join(media, name));
    for (const root of roots) await mkdir(root);
    const home = await ProgramHome.make({ MEDIA_ROOTS: roots.join(), ...env });
    const [, browser] = await Promise.all([home.start(), startBrowser()]);
    return new ConsoleWorld(home, browser, await ConsolePage.open(browser, home.program.url), media);
  }

  get url(): string {
    return this.home.program.url;
  }

  /** A media folder that the service may read. */
  folder(name: string): string {
    return join(this.media, 'pictures', name);
  }

  /** Another media folder, which tests may remove. */
  get share(): string {
    return join(this.media, 'share');
  }

  async ask<Body>(path: string, init?: RequestInit): Promise<Body> {
    const response = await fetch(`${this.url}/api/v1${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  /** The status of each dataset, by its name. */
  async statuses(): Promise<Record<string, string>> {
    const all = await this.ask<{ display_name: string; status_new: string }[]>('/datasets');
    return Object.fromEntries(all.map((dataset) => [dataset.display_name, dataset.status_new]));
  }

  untilStatus(datasetId: string, status: string): Promise<void> {
    return waitUntil(
      async () => (await this.ask<{ status_new: string }>(`/dataset/${datasetId}`)).status_new === status,
      UNHURRIED_MS,
    );
  }

  async createDataset(name: string, folder: string): Promise<string> {
    const created = form({ dataset_name: name, bucket_path: folder });
    return (await this.ask<{ dataset_id: string }>('/dataset', created)).dataset_id;
  }

  async indexedDataset(name: string, folder: string): Promise<string> {
    const id = await this.createDataset(name, folder);
    await this.untilStatus(id, 'READY');
    return id;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.home.remove();
    await rm(this.media, { recursive: true });
  }
}

export function form(fields: Readonly<Record<string, string>>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return { method: 'POST', body };
}
