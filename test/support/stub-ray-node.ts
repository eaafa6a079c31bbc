import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunnerAnswer, RunnerRequest } from '../../src/common/engine/steps/runner-messages';
import { waitUntil } from './wait-until';
import { driverLine, type StubJob, type StubRay } from './stub-ray';

const root = join(__dirname, '..', '..');

type Asked = RunnerRequest extends infer Each ? (Each extends RunnerRequest ? Omit<Each, 'id'> : never) : never;

/** Executes the jobs of a stubbed cluster in a step runner, one step at a time, like the driver on each node. */
export class StubRayNode {
  /** Makes each job wait after this many steps until it is stopped. */
  heldAfter = Infinity;
  private child: ChildProcessWithoutNullStreams | undefined;
  private readonly waiting = new Map<string, (answer: RunnerAnswer) => void>();
  private lastId = 0;

  constructor(private readonly variables: Readonly<Record<string, string>>) {}

  join(ray: StubRay): void {
    ray.onSubmit = (job) => void this.workOff(job);
  }

  stop(): void {
    this.child?.kill('SIGKILL');
  }

  private async workOff(job: StubJob): Promise<void> {
    const failure = await this.firstFailure(job);
    // A stopped job stays stopped, even if its current step fails because its files were removed.
    if (job.status !== 'RUNNING') return;
    if (failure === undefined) {
      job.status = 'SUCCEEDED';
      return;
    }
    job.logs = driverLine({ event: 'failed', error: failure });
    job.status = 'FAILED';
  }

  /** Executes the steps of a job until one fails or the job is stopped. */
  private async firstFailure(job: StubJob): Promise<unknown> {
    const plan = / --plan (\S+)/.exec(job.entrypoint)![1]!;
    let steps = 0;
    for (let offset: number | null = 0; offset !== null;) {
      const answer = await this.ask({ do: 'read-plan', plan, offset });
      if ('failed' in answer) return answer.failed;
      if (!('page' in answer)) return undefined;
      for (const step of answer.page.steps) {
        if (steps >= this.heldAfter) await waitUntil(() => job.status !== 'RUNNING');
        if (job.status !== 'RUNNING') return undefined;
        steps += 1;
        const done = await this.ask({ do: 'step', plan, step });
        if ('failed' in done) return done.failed;
      }
      offset = answer.page.next;
    }
    return undefined;
  }

  private ask(request: Asked): Promise<RunnerAnswer> {
    const id = String((this.lastId += 1));
    const runner = (this.child ??= this.start());
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      runner.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  private start(): ChildProcessWithoutNullStreams {
    const { PATH, HOME } = process.env;
    const register = join(root, 'scripts', 'typescript-register.cjs');
    const child = spawn(process.execPath, ['--require', register, join(root, 'src', 'commands', 'step-runner.ts')], {
      env: { PATH, HOME, ...this.variables },
    });
    child.stderr.resume();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as RunnerAnswer;
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    return child;
  }
}
