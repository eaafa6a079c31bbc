import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './free-port';
import { StartedProcess } from './started-process';

/** The root of the repository; benches are compiled to another folder. */
const root = process.cwd();
/** Ray gives up after half a minute, which is too short on a busy machine. */
const TRIES = 4;

export interface ClusterOptions {
  /** The folder with Ray's programs. */
  readonly bin: string;
  /** Environment variables of the nodes, in addition to those that Ray needs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly token: string;
  /** The folder of the built service. */
  readonly dist?: string;
}

export interface SubmittedJob {
  readonly submission_id: string;
  readonly status: string;
}

/** Three Ray nodes on loopback, with one processor each. The first is the head node, which has the dashboard. */
export class RayCluster {
  private readonly nodes: (StartedProcess | undefined)[] = [];

  private constructor(
    private readonly options: ClusterOptions,
    private readonly folder: string,
    private readonly port: number,
    private readonly dashboardPort: number,
  ) {}

  static async start(options: ClusterOptions): Promise<RayCluster> {
    // Its sockets need a short path.
    const folder = await mkdtemp(join(tmpdir(), 'ray-'));
    const cluster = new RayCluster(options, folder, await freePort(), await freePort());
    await cluster.startAll();
    return cluster;
  }

  get url(): string {
    return `http://127.0.0.1:${this.dashboardPort}`;
  }

  async startAll(): Promise<void> {
    for (const place of [0, 1, 2]) await this.startNode(place);
  }

  async startNode(place: number): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const node = StartedProcess.start(join(this.options.bin, 'ray'), await this.argumentsOf(place), {
        cwd: this.folder,
        env: this.environment(),
      });
      try {
        await node.untilOutput('Ray runtime started');
        this.nodes[place] = node;
        return;
      } catch (error) {
        end(node);
        if (tries === TRIES) throw error;
      }
    }
  }

  /** Ends a node with all its processes, like the loss of a machine. */
  async killNode(place: number): Promise<void> {
    const node = this.nodes[place];
    this.nodes[place] = undefined;
    if (node === undefined) return;
    end(node);
    await node.ended();
  }

  async killAll(): Promise<void> {
    for (const place of [2, 1, 0]) await this.killNode(place);
  }

  async stop(): Promise<void> {
    await this.killAll();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The output of a job. */
  async logsOf({ submission_id: id }: SubmittedJob): Promise<string> {
    const answer = await fetch(`${this.url}/api/jobs/${id}/logs`, { headers: this.headers() });
    return ((await answer.json()) as { logs: string }).logs;
  }

  /** The jobs of a task, oldest first. */
  async jobsOf(task: string): Promise<SubmittedJob[]> {
    const answer = await fetch(`${this.url}/api/jobs/`, { headers: this.headers() });
    const jobs = (await answer.json()) as (SubmittedJob & { metadata: Record<string, string> | null })[];
    return jobs
      .filter(({ metadata }) => metadata?.['task'] === task)
      .sort((one, other) => one.submission_id.localeCompare(other.submission_id));
  }

  private headers(): Record<string, string> {
    return { authorization: `Bearer ${this.options.token}` };
  }

  private async argumentsOf(place: number): Promise<string[]> {
    const common = [
      'start',
      '--block',
      '--node-ip-address=127.0.0.1',
      '--num-cpus=1',
      '--object-store-memory=80000000',
      '--disable-usage-stats',
      `--dashboard-agent-listen-port=${await freePort()}`,
    ];
    if (place > 0) return [...common, `--address=127.0.0.1:${this.port}`];
    return [
      ...common,
      '--head',
      `--port=${this.port}`,
      `--temp-dir=${this.folder}`,
      '--dashboard-host=127.0.0.1',
      `--dashboard-port=${this.dashboardPort}`,
      `--ray-client-server-port=${await freePort()}`,
    ];
  }

  private environment(): NodeJS.ProcessEnv {
    const { bin, variables, token, dist = join(root, 'dist') } = this.options;
    const { PATH, HOME } = process.env;
    return {
      PATH: `${bin}${delimiter}${PATH}`,
      HOME,
      RAY_USAGE_STATS_ENABLED: '0',
      RAY_AUTH_MODE: 'token',
      RAY_AUTH_TOKEN: token,
      // The machine has other work besides the tests.
      RAY_memory_monitor_refresh_ms: '0',
      PYTHONPATH: join(root, 'engine'),
      PYTHONDONTWRITEBYTECODE: '1',
      // Files that a killed node leaves there are removed with the cluster.
      DATA_DIR: join(this.folder, 'data'),
      DMS_STEP_RUNNER: `${process.execPath} ${join(dist, 'commands', 'step-runner.js')}`,
      ...variables,
    };
  }
}

function end(node: StartedProcess): void {
  try {
    node.signalGroup('SIGKILL');
  } catch (error) {
    // The process group has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
