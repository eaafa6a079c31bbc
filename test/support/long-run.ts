import { rm } from 'node:fs/promises';

const EVERY = 50;
/** After so long no more is done, and what was done is compared. */
const MINUTES = Number(process.env['MINUTES'] ?? Infinity);

/** Of a test with a count that takes minutes or hours: says how far it is while it runs, and keeps the data of one that fails. */
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

  /** Not by the console, which Jest shows at the end of a file. */
  advance(): void {
    this.done += 1;
    if (this.isLong && this.done % EVERY === 0) this.say(`${this.done} of ${this.count} ${this.what}`);
  }

  /** Call it when everything has been compared. */
  held(): void {
    this.hasHeld = true;
    if (this.isLong) this.say(`Held after ${this.done} of ${this.count} ${this.what}`);
  }

  /** Removes the data, unless it is needed to find out what went wrong. */
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
