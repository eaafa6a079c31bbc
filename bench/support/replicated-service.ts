import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EmbeddedPostgres } from '../../src/common/platform/database/embedded-postgres';
import { RunningService } from './running-service';

/** An api process and some workers that share a Postgres and a store. */
export class ReplicatedService {
  private readonly workers: RunningService[] = [];
  private readonly apis: RunningService[] = [];

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly variables: Readonly<Record<string, string>>,
    private readonly mediaRoots: readonly string[],
    readonly api: RunningService,
  ) {}

  static async start(mediaRoots: readonly string[]): Promise<ReplicatedService> {
    const folder = await mkdtemp(join(tmpdir(), 'bench-replicas-'));
    const postgres = await EmbeddedPostgres.start({ folder: join(folder, 'postgres') });
    const variables = {
      DATABASE_URL: postgres.url,
      STORAGE_URL: pathToFileURL(join(folder, 'store')).href,
      SECRET_KEY: randomBytes(32).toString('base64'),
      WORKER_CONCURRENCY: '1',
    };
    const api = await RunningService.start(join(folder, 'api'), mediaRoots, { ...variables, ROLE: 'api' });
    return new ReplicatedService(folder, postgres, variables, mediaRoots, api);
  }

  /** Starts another api process. */
  async startApi(variables: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    const place = join(this.folder, `api-${this.apis.length}`);
    const api = await RunningService.start(place, this.mediaRoots, { ...this.variables, ...variables, ROLE: 'api' });
    this.apis.push(api);
    return api;
  }

  /** Starts a worker that is bound to one processor together with its children. */
  async addWorker(core: number): Promise<void> {
    const place = join(this.folder, `worker-${this.workers.length}`);
    const worker = await RunningService.start(place, this.mediaRoots, { ...this.variables, ROLE: 'worker' });
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(worker.processId)], { stdio: 'ignore' });
    this.workers.push(worker);
  }

  async stop(): Promise<void> {
    for (const service of [...this.workers, ...this.apis, this.api]) await service.stop();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
