import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks questions on the terminal, or reads the answers from piped input. Secrets are not echoed. */
export class Questions {
  private hidden = false;
  private readonly lines: AsyncIterator<string>;
  private readonly reader;

  constructor() {
    const isTerminal = process.stdin.isTTY;
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.hidden) process.stderr.write(chunk);
        done();
      },
    });
    this.reader = createInterface({ input: process.stdin, output, terminal: isTerminal });
    this.reader.once('SIGINT', () => process.exit(130));
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  async ask(question: string, { secret = false, fallback = '' } = {}): Promise<string> {
    process.stderr.write(fallback === '' ? `${question}: ` : `${question} [${fallback}]: `);
    this.hidden = secret;
    const next = await this.lines.next();
    this.hidden = false;
    if (secret) process.stderr.write('\n');
    const text = next.done === true ? '' : next.value.trim();
    return text === '' ? fallback : text;
  }

  close(): void {
    this.reader.close();
  }
}
