import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '../../src/common/platform/config/child-process';
import type { BareOnnxRun } from './bare-onnx.child';
import { spentBy, type Spent } from './process-tree';

/** The time of this many runs of a model in several processes, without decoding or preprocessing. */
export async function bareOnnxSpent(work: BareOnnxRun, processes: number): Promise<Spent> {
  const env = { ...childEnvironment(), MALLOC_ARENA_MAX: '2', ORT_DISABLE_TELEMETRY: '1' };
  const children = Array.from({ length: processes }, () => fork(join(__dirname, 'bare-onnx.child.js'), { env }));
  try {
    const next = (): Promise<unknown> => Promise.all(children.map((child) => once(child, 'message')));
    const warm = next();
    for (const child of children) child.send({ ...work, runs: Math.ceil(work.runs / processes) });
    await warm;
    const done = next();
    const pids = children.map(({ pid }) => pid!);
    return await spentBy(
      () => pids,
      async () => {
        for (const child of children) child.send('go');
        await done;
      },
    );
  } finally {
    for (const child of children) child.kill();
  }
}
