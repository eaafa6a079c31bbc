import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { randomUUID } from 'node:crypto';
import { NotificationRepository } from '../src/modules/notifications';
import { localAdmin } from '../src/modules/workspaces';
import type { Bench, Report } from './bench';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';

const STREAMS = Number(process.env['STREAMS'] ?? 1_000);
const MARK = 'the mark';

interface Reader {
  readonly socket: Socket;
  readonly begun: Promise<void>;
  /** When the notification came. */
  readonly told: Promise<number>;
}

function open(url: string): Reader {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /api/v1/notifications/stream HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  let text = '';
  const until = <T>(part: string, answer: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      socket.on('data', () => {
        if (text.includes(part)) resolve(answer());
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('A stream was closed')));
    });
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    socket,
    // A first ping says that it was caught up long ago.
    begun: until('event: ping', () => undefined),
    told: until(MARK, () => performance.now()),
  };
}

async function measure(report: Report, { app, url }: ProgramInProcess): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const readers = Array.from({ length: STREAMS }, () => open(url));
  await Promise.all(readers.map(({ begun }) => begun));
  const each = (process.memoryUsage().rss - before) / STREAMS / 1000;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await app.get(NotificationRepository).insert(
    [
      {
        userId: localAdmin().userId,
        entityType: 'saved_view',
        entityId: randomUUID(),
        title: '',
        message: MARK,
        metadata: {},
        datasetId: null,
      },
    ],
    new Date(),
  );
  const committed = performance.now();
  const times = (await Promise.all(readers.map(({ told }) => told))).map((at) => Math.max(0, at - committed));
  delay.disable();
  for (const { socket } of readers) socket.removeAllListeners('close').destroy();
  const p99 = quantile(times, 0.99);
  report.figure(`${STREAMS} streams, all told, p99 after commit`, p99, 'ms', '<1000', p99 < 1_000);
  const lag = delay.percentile(99) / 1e6;
  report.figure('lag of the event loop, readers included, p99', lag, 'ms', '<50', lag < 50);
  report.figure('memory a stream, its reader included', each, 'KB', '<100', each < 100);
}

export const bench: Bench = {
  name: 'stream',
  summary: 'one notification to 1,000 open streams (`STREAMS=100` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
