import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromModelServer, ModelServerTask, ToModelServer } from './model-server.child';

type Counted = Extract<FromModelServer, { kind: 'counted' }>;

/** A stub model server in a separate process, so that it does not wait for the event loop of this one. */
export class ModelServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(task: ModelServerTask): Promise<ModelServerProcess> {
    const child = fork(join(__dirname, 'model-server.child.js'));
    const started = (await ask(child, { kind: 'start', task })) as Extract<FromModelServer, { kind: 'started' }>;
    return new ModelServerProcess(child, started.url);
  }

  get processId(): number {
    return this.child.pid!;
  }

  /** The number of requests so far, and the maximum of concurrent ones. */
  async counted(): Promise<Counted> {
    return (await ask(this.child, { kind: 'count' })) as Counted;
  }

  async close(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
  }
}

async function ask(child: ChildProcess, message: ToModelServer): Promise<FromModelServer> {
  const answer = once(child, 'message');
  child.send(message);
  const [answered] = (await answer) as [FromModelServer];
  return answered;
}
