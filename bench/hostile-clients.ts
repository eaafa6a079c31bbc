import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OIDC_VARIABLES } from '../test/support/principals';
import { writePicture } from '../test/support/pictures';
import type { Bench, Report } from './bench';
import { RunningService } from './support/running-service';

const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 1_500);
const PIPELINED = 1_500;
const BODIES = 565;
const KIB = 1024;
const GROUPS = 100;
const COPIES = 10;
const SECONDS = 10;
const MOST_MS = 1_000;
const MOST_GROWTH_MB = 500;

const request = (method: string, path: string, headers = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;

/** Connections that send requests and never read the responses. */
class Hostile {
  private readonly sockets: Socket[] = [];

  constructor(private readonly url: string) {}

  async send(connections: number, text: string | Buffer): Promise<void> {
    const port = Number(new URL(this.url).port);
    for (let at = 0; at < connections; at += 1) {
      const socket = connect(port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      this.sockets.push(socket);
      socket.write(text);
      if (at % 50 === 0) await once(socket, 'connect');
    }
  }

  end(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Of this process only: buffers of connections are not in its children. */
function residentBytes(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * KIB;
}

/** Measures the response time for another client and the memory of the process while these connections are open. */
async function attack(
  report: Report,
  name: string,
  service: RunningService,
  send: (hostile: Hostile) => Promise<void>,
): Promise<void> {
  const before = residentBytes(service.processId);
  const hostile = new Hostile(service.url);
  const sent = send(hostile);
  const until = performance.now() + SECONDS * 1_000;
  let [slowest, most] = [0, before];
  while (performance.now() < until) {
    const asked = performance.now();
    await fetch(`${service.url}/health/live`).then((answer) => answer.text());
    slowest = Math.max(slowest, performance.now() - asked);
    most = Math.max(most, residentBytes(service.processId));
    await delay(20);
  }
  await sent;
  hostile.end();
  report.figure(`${name}: slowest answer of health`, slowest, 'ms', `<=${MOST_MS}`, slowest <= MOST_MS);
  const grown = (most - before) / KIB / KIB;
  report.figure(`${name}: memory that it takes`, grown, 'MB', `<=${MOST_GROWTH_MB}`, grown <= MOST_GROWTH_MB);
}

async function pictures(folder: string): Promise<void> {
  for (let group = 0; group < GROUPS; group += 1) {
    const first = join(folder, `${group}.jpg`);
    await writePicture(first, group);
    for (let copy = 1; copy < COPIES; copy += 1) await copyFile(first, join(folder, `${group}-${copy}.jpg`));
  }
}

async function run(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-hostile-'));
  try {
    await pictures(join(folder, 'pictures'));
    const open = await RunningService.start(join(folder, 'open'), [folder]);
    try {
      const many = request('GET', '/metrics').repeat(PIPELINED);
      for (const sockets of [1, 4])
        await attack(report, `${PIPELINED} pipelined requests on each of ${sockets} connections`, open, (hostile) =>
          hostile.send(sockets, many),
        );
      const id = await open.createFromFolder('Copies', join(folder, 'pictures'));
      await open.untilReady(id);
      const page = `/api/v1/dataset/${id}/duplicates?duplicate_threshold=0.8&limit=100`;
      await attack(report, `${CONNECTIONS} connections that do not read a page`, open, (hostile) =>
        hostile.send(CONNECTIONS, request('GET', page)),
      );
    } finally {
      await open.stop();
    }
    const withSignIn = await RunningService.start(join(folder, 'signed'), [folder], OIDC_VARIABLES);
    try {
      const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${64 * KIB}\r\n`;
      const head = request('POST', '/api/v1/oidc/backchannel-logout', form);
      await attack(report, `${BODIES} connections with most of a body of 64 KiB`, withSignIn, (hostile) =>
        hostile.send(BODIES, Buffer.concat([Buffer.from(head), Buffer.alloc(64 * KIB - 1)])),
      );
    } finally {
      await withSignIn.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'hostile-clients',
  summary:
    'health and memory under pipelined requests, responses that are never read (`CONNECTIONS=300` for fewer) and bodies that never end',
  run,
};
