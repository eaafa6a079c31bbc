import { rm } from 'node:fs/promises';

const EVERY = 50;
/** When this time is over, no more work starts, and the completed work is compared. */
const MINUTES = Number(process.env['MINUTES'] ?? Infinity);

/** For a test that runs for minutes or hours: prints its progress, and keeps the data if it fails. */
export class LongRun {
  private done = 0;
  private hasHeld = false;
  private readonly end = Date.now() + MINUTES * 60_000;

  constructor(
    private readonly count: number,
    private readonly what: string,
  ) {}

  get goesOn(): boolean {
    return this.done < this.count && Date.now() < this.end;
  }

  /** Not printed by `console`, whose output Jest only shows at the end of a file. */
  advance(): void {
    this.done += 1;
    if (this.isLong && this.done % EVERY === 0) this.say(`${this.done} of ${this.count} ${this.what}`);
  }

  /** Call it after everything has been compared. */
  held(): void {
    this.hasHeld = true;
    if (this.isLong) this.say(`Held after ${this.done} of ${this.count} ${this.what}`);
  }

  /** Removes the data, unless the test failed. */
  async remove(folder: string): Promise<void> {
    if (this.isLong && !this.hasHeld) this.say(`Failed after ${this.done} ${this.what}; ${folder} stays`);
    else await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  private get isLong(): boolean {
    return this.count > EVERY;
  }

  private say(line: string): void {
    process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  }
}
