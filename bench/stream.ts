import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NotificationRepository } from '../src/modules/notifications';
import { localAdmin } from '../src/modules/workspaces';
import type { Bench, Report } from './bench';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';
import { StreamReaders } from './support/stream-readers';

const STREAMS = Number(process.env['STREAMS'] ?? 1_000);
/** From this number of open streams on, everything shared is allocated. */
const FIRST = Math.ceil(STREAMS / 5);
const MARK = 'the mark';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): { resident: number; heap: number } {
  collect();
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  return { resident: rss, heap: heapUsed };
}

async function tell({ app }: ProgramInProcess): Promise<void> {
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
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const task = { url: program.url, mark: MARK };
  const first = await StreamReaders.open({ ...task, streams: FIRST });
  const before = memory();
  const others = await StreamReaders.open({ ...task, streams: STREAMS - FIRST });
  const after = memory();
  const each = (after.resident - before.resident) / (STREAMS - FIRST) / 1000;
  report.note(`of the heap ${((after.heap - before.heap) / (STREAMS - FIRST) / 1000).toFixed(1)} KB a stream`);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await tell(program);
  const committed = Number(process.hrtime.bigint()) / 1e6;
  const times = (await Promise.all([first.told, others.told])).flat().map((at) => Math.max(0, at - committed));
  delay.disable();
  await Promise.all([first.close(), others.close()]);
  const p99 = quantile(times, 0.99);
  report.figure(`${times.length} streams, all told, p99 after commit`, p99, 'ms', '<1000', p99 < 1_000);
  const lag = delay.percentile(99) / 1e6;
  report.figure('lag of the event loop, p99', lag, 'ms', '<50', lag < 50);
  report.figure('memory a stream', each, 'KB', '<100', each < 100);
}

export const bench: Bench = {
  name: 'stream',
  summary: 'one notification to 1,000 open streams (`STREAMS=100` for fewer): latency, and memory per stream',
  run: (report) => inProgram((program) => measure(report, program)),
};
