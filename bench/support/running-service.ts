import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port';

// The benches are compiled into node_modules/.cache/bench; `npm run bench` builds the program beforehand.
const MAIN = join(process.cwd(), 'dist', 'main.js');

/** The built program, started as a user starts it. */
export class RunningService {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Resolves when the program logs that it is ready. */
  static async start(
    dataDir: string,
    mediaRoots: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<RunningService> {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN, '--no-sample'], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'],
        MALLOC_TRIM_THRESHOLD_: process.env['MALLOC_TRIM_THRESHOLD_'],
        MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'],
        DATA_DIR: dataDir,
        PORT: String(port),
        MEDIA_ROOTS: mediaRoots.join(','),
        LOG_LEVEL: 'ERROR',
        ...variables,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const service = new RunningService(child, `http://127.0.0.1:${port}`);
    while (!(await service.isReady())) {
      if (child.exitCode !== null) throw new Error(`The program exited with ${child.exitCode} before it was ready`);
      await delay(20);
    }
    return service;
  }

  get processId(): number {
    return this.child.pid!;
  }

  async createFromFolder(name: string, folder: string): Promise<string> {
    const form = new FormData();
    form.set('dataset_name', name);
    form.set('bucket_path', folder);
    const response = await fetch(`${this.url}/api/v1/dataset`, { method: 'POST', body: form });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { dataset_id: string }).dataset_id;
  }

  async untilReady(datasetId: string): Promise<void> {
    for (;;) {
      const response = await fetch(`${this.url}/api/v1/datasets/${datasetId}/creation-status`);
      const { status } = (await response.json()) as { status: string };
      if (status === 'READY') return;
      if (status !== 'INDEXING') throw new Error(`The dataset is ${status}`);
      await delay(250);
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    if (this.child.exitCode === null) await once(this.child, 'exit');
  }

  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${this.url}${path}`, { method, ...sent });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  private async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
    return response?.ok === true;
  }
}
