import { errorCode } from '../../errors/error-code';
import type { FileCalls } from './file-calls';

interface Turn {
  running: Promise<void>;
  waiting: Promise<void> | undefined;
}

/**
 * Makes renames in a folder durable. Callers that arrive during an fsync of the folder share the next one, so many writers need few fsyncs.
 */
export class DirectorySync {
  private readonly turns = new Map<string, Turn>();

  constructor(private readonly files: FileCalls) {}

  sync(folder: string): Promise<void> {
    const turn = this.turns.get(folder);
    if (turn === undefined) return this.start(folder);
    turn.waiting ??= turn.running.then(
      () => this.start(folder),
      () => this.start(folder),
    );
    return turn.waiting;
  }

  private start(folder: string): Promise<void> {
    const turn: Turn = { running: this.flush(folder), waiting: undefined };
    this.turns.set(folder, turn);
    const forget = () => {
      if (turn.waiting === undefined && this.turns.get(folder) === turn) this.turns.delete(folder);
    };
    turn.running.then(forget, forget);
    return turn.running;
  }

  private async flush(folder: string): Promise<void> {
    const handle = await this.files.open(folder, 'r').catch((error: unknown) => {
      // A concurrent deletion removed the folder, so nothing is left to make durable.
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (handle === undefined) return;
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
