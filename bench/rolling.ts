import { Agent, request } from 'node:http';
import type { Bench, Report } from './bench';
import { Balancer } from './support/balancer';
import { photographFolder } from './support/photograph-folder';
import { quantile } from './support/quantile';
import { ReplicatedService } from './support/replicated-service';
import type { RunningService } from './support/running-service';

const READS = Number(process.env['READS'] ?? 10_000);
const CLIENTS = 8;
const FILES = 100;
const RESTARTS = 2;
const DRAIN_SECONDS = '2';

interface Counts {
  reads: number;
  readonly failures: string[];
  readonly milliseconds: number[];
}

/** One request without retries; its connection is reused if the service keeps it alive. */
function read(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.on('error', (error) => resolve(error.message));
      response.on('end', () => resolve(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
      response.resume();
    });
    sent.on('error', (error) => resolve(error.message));
    sent.end();
  });
}

async function readOnAndOn(urls: readonly string[], counts: Counts, isOver: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver()) {
    const started = performance.now();
    const failure = await read(urls[counts.reads % urls.length]!, agent);
    counts.milliseconds.push(performance.now() - started);
    counts.reads += 1;
    if (failure !== undefined) counts.failures.push(failure);
  }
  agent.destroy();
}

/** Starts a new process for each, and stops the old one when the new one is ready. */
async function restartAll(service: ReplicatedService, balancer: Balancer, apis: RunningService[]): Promise<void> {
  for (let at = 0; at < apis.length; at += 1) {
    const next = await service.startApi({ DRAIN_SECONDS });
    balancer.add(next.url);
    await apis[at]!.stop();
    balancer.remove(apis[at]!.url);
    apis[at] = next;
  }
}

async function run(report: Report): Promise<void> {
  const folder = await photographFolder(FILES);
  const service = await ReplicatedService.start([folder]);
  const balancer = await Balancer.open();
  try {
    await service.addWorker(0);
    const id = await service.api.createFromFolder('Rolling', folder);
    await service.api.untilReady(id);
    const apis = [await service.startApi({ DRAIN_SECONDS }), await service.startApi({ DRAIN_SECONDS })];
    for (const { url } of apis) balancer.add(url);
    const counts: Counts = { reads: 0, failures: [], milliseconds: [] };
    let areRestarted = false;
    const urls = ['/api/v1/datasets', `/api/v1/dataset/${id}`, `/api/v1/explore/${id}?threshold=2`];
    const clients = Array.from({ length: CLIENTS }, () =>
      readOnAndOn(
        urls.map((path) => `${balancer.url}${path}`),
        counts,
        () => areRestarted && counts.reads >= READS,
      ),
    );
    for (let times = 0; times < RESTARTS; times += 1) await restartAll(service, balancer, apis);
    areRestarted = true;
    await Promise.all(clients);
    for (const failure of new Set(counts.failures)) report.note(`failed: ${failure}`);
    const slowest = quantile(counts.milliseconds, 0.99).toFixed(0);
    report.note(`${counts.reads} reads by ${CLIENTS} clients; one in a hundred took ${slowest} ms or more`);
    report.figure(
      'failed reads during two rolling restarts',
      counts.failures.length,
      '',
      '0',
      counts.failures.length === 0,
    );
  } finally {
    balancer.close();
    await service.stop();
  }
}

export const bench: Bench = {
  name: 'rolling',
  summary: 'reads through two rolling restarts of two api processes (READS=10000)',
  run,
};
