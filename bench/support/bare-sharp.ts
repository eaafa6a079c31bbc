import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '../../src/common/platform/config/child-environment';

/** Processes that do with sharp what any indexing must: decode once, thumbnail, model input. */
export class BareSharp {
  private constructor(
    private readonly children: readonly ChildProcess[],
    private readonly atOnce: number,
  ) {}

  static async start(processes: number, atOnce: number): Promise<BareSharp> {
    // As the compute children have it.
    const env = { ...childEnvironment(), MALLOC_ARENA_MAX: '2' };
    const children = Array.from({ length: processes }, () => fork(join(__dirname, 'bare-sharp.child.js'), { env }));
    const started = new BareSharp(children, atOnce);
    await started.describe([]);
    return started;
  }

  async describe(paths: readonly string[]): Promise<void> {
    await Promise.all(
      this.children.map(async (child, at) => {
        const answer = once(child, 'message');
        child.send({ paths: paths.filter((_, i) => i % this.children.length === at), atOnce: this.atOnce });
        await answer;
      }),
    );
  }

  stop(): void {
    for (const child of this.children) child.kill();
  }
}
