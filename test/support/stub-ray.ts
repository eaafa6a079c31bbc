import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface StubJob {
  readonly submission_id: string;
  readonly entrypoint: string;
  readonly metadata: Readonly<Record<string, string>>;
  status: 'PENDING' | 'RUNNING' | 'STOPPED' | 'SUCCEEDED' | 'FAILED';
  message: string;
  logs: string;
}

interface Faults {
  /** The status of every response. */
  status?: number;
  /** Whether no request is answered. */
  silent?: boolean;
}

/** Ray's Jobs API, with jobs that the test executes. */
export class StubRay {
  version = '2.60.0';
  faults: Faults = {};
  /** The accepted token; other tokens are refused. */
  token: string | undefined;
  readonly jobs = new Map<string, StubJob>();
  /** The number of jobs that were refused because their name exists already. */
  refused = 0;
  onSubmit: (job: StubJob) => void = () => undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(port = 0): Promise<StubRay> {
    const stub = new StubRay(createServer());
    stub.server.listen(port, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get lastJob(): StubJob {
    return [...this.jobs.values()].at(-1)!;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (this.faults.silent === true) return;
    if (this.faults.status !== undefined) {
      send(this.faults.status, 'out of order');
      return;
    }
    const { authorization } = request.headers;
    if (this.token !== undefined && authorization !== `Bearer ${this.token}`) {
      send(authorization === undefined ? 401 : 403, 'Unauthorized');
      return;
    }
    if (request.url === '/api/version') send(200, { version: '4', ray_version: this.version });
    else if (request.url === '/api/jobs/') this.submit(await json(request), send);
    else {
      const [, id = '', part = ''] = /^\/api\/jobs\/([^/]+)(\/\w+)?$/.exec(request.url ?? '') ?? [];
      const job = this.jobs.get(id);
      if (job === undefined) send(404, `Job ${id} does not exist`);
      else send(200, this.ofJob(job, part));
    }
  }

  private submit(asked: unknown, send: (status: number, body: unknown) => void): void {
    const job = { ...(asked as Pick<StubJob, 'submission_id' | 'entrypoint' | 'metadata'>) };
    if (this.jobs.has(job.submission_id)) {
      this.refused += 1;
      send(500, `Job with submission_id ${job.submission_id} already exists.`);
      return;
    }
    const running: StubJob = { ...job, status: 'RUNNING', message: '', logs: '' };
    this.jobs.set(job.submission_id, running);
    this.onSubmit(running);
    send(200, { submission_id: job.submission_id });
  }

  private ofJob(job: StubJob, part: string): object {
    if (part === '/logs') return { logs: job.logs };
    if (part !== '/stop') return job;
    job.status = 'STOPPED';
    return { stopped: true };
  }
}

/** A line of the driver in the log of its job. */
export const driverLine = (event: object): string => `dms-engine ${JSON.stringify(event)}\n`;
