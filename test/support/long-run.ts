import { rm } from 'node:fs/promises';

const EVERY = 50;

/** Of a test with a count that takes minutes or hours: says how far it is while it runs, and keeps the data of one that fails. */
export class LongRun {
  private done = 0;
  private hasEnded = false;

  constructor(
    private readonly count: number,
    private readonly what: string,
  ) {}

  /** Not by the console, which Jest shows at the end of a file. */
  advance(): void {
    this.done += 1;
    if (this.isLong && this.done % EVERY === 0) this.say(`${this.done} of ${this.count} ${this.what}`);
  }

  /** Call it when everything has been compared. */
  end(): void {
    this.hasEnded = true;
  }

  /** Removes the data, unless it is needed to find out what went wrong. */
  async remove(folder: string): Promise<void> {
    if (this.isLong && !this.hasEnded) this.say(`Failed after ${this.done} ${this.what}; ${folder} stays`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  private get isLong(): boolean {
    return this.count > EVERY;
  }

  private say(line: string): void {
    process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  }
}
