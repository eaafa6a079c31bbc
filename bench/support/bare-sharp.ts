import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BareSharpWork } from './bare-sharp.child';
import { childEnvironment } from '../../src/common/platform/config/child-process';

/** Processes that do the minimum of indexing with sharp: decode once, thumbnail, model input; with `side`, only a model input of that side. */
export class BareSharp {
  private constructor(
    private readonly children: readonly ChildProcess[],
    private readonly atOnce: number,
    private readonly side: number | null,
  ) {}

  static async start(processes: number, atOnce: number, side: number | null = null): Promise<BareSharp> {
    // The same environment as the compute children.
    const env = { ...childEnvironment(), MALLOC_ARENA_MAX: '2' };
    const children = Array.from({ length: processes }, () => fork(join(__dirname, 'bare-sharp.child.js'), { env }));
    const started = new BareSharp(children, atOnce, side);
    await started.describe([]);
    return started;
  }

  async describe(paths: readonly string[]): Promise<void> {
    await Promise.all(
      this.children.map(async (child, at) => {
        const answer = once(child, 'message');
        const some = paths.filter((_, i) => i % this.children.length === at);
        child.send({ paths: some, atOnce: this.atOnce, side: this.side } satisfies BareSharpWork);
        await answer;
      }),
    );
  }

  get pids(): readonly number[] {
    return this.children.map(({ pid }) => pid!);
  }

  stop(): void {
    for (const child of this.children) child.kill();
  }
}
