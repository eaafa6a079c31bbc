import { setImmediate } from 'node:timers/promises';
import type { ObjectStore } from '../../../common/platform/storage/object-store';

/** Of a part in memory. */
const PART = { characters: 8 * 1024 * 1024, annotations: 64_000 };
const LINE_FEED = 0x0a;
const PICTURES_AT_ONCE = 500;
const ANNOTATIONS_AT_ONCE = 1_000;

/** Some annotations of a row, as JSON. */
interface Given {
  readonly row: number;
  readonly annotations: string;
}

/** All annotations that were given for a row, in the order in which they were given. */
export interface PictureOfRow {
  readonly row: number;
  /** A JSON list. */
  readonly annotations: string;
}

/**
 * Orders annotations by row, so that all of a picture are together wherever they were in a file: parts of bounded size are sorted and
 * stored, then merged.
 */
export class SortedPictures {
  private readonly stored: string[] = [];
  private held: Given[] = [];
  private characters = 0;
  private annotations = 0;

  /** The prefix is of this attempt alone. */
  constructor(
    private readonly store: ObjectStore,
    private readonly prefix: string,
    private readonly most = PART,
  ) {}

  async add(row: number, annotations: readonly string[]): Promise<void> {
    const text = annotations.join(',');
    this.held.push({ row, annotations: text });
    this.characters += text.length;
    this.annotations += annotations.length;
    if (this.characters >= this.most.characters || this.annotations >= this.most.annotations) await this.flush();
  }

  /** By row; again from the start with each call. Nothing may be added meanwhile. */
  async *batches(): AsyncGenerator<readonly PictureOfRow[]> {
    const runs: Run[] = this.stored.map((key) => new Run(this.readRun(key)));
    runs.push(new Run(oneBatch(sorted(this.held))));
    for (const run of runs) await run.advance();
    let [batch, size]: [PictureOfRow[], number] = [[], 0];
    for (let row = lowest(runs); row < Infinity; row = lowest(runs)) {
      const texts: string[] = [];
      for (const run of runs)
        while (run.head?.row === row) {
          texts.push(run.head.annotations);
          const more = run.advance();
          if (more !== undefined) await more;
        }
      batch.push({ row, annotations: `[${texts.join(',')}]` });
      size += texts.length;
      if (batch.length < PICTURES_AT_ONCE && size < ANNOTATIONS_AT_ONCE) continue;
      yield batch;
      await setImmediate();
      [batch, size] = [[], 0];
    }
    if (batch.length > 0) yield batch;
  }

  private async flush(): Promise<void> {
    const lines = sorted(this.held).map(({ row, annotations }) => `${row} ${annotations}\n`);
    const key = `${this.prefix}-${this.stored.length}`;
    await this.store.put(key, Buffer.from(lines.join('')));
    this.stored.push(key);
    [this.held, this.characters, this.annotations] = [[], 0, 0];
  }

  private async *readRun(key: string): AsyncGenerator<readonly Given[]> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of (await this.store.get(key)) as AsyncIterable<Buffer>) {
      const last = chunk.lastIndexOf(LINE_FEED);
      if (last < 0) {
        rest = Buffer.concat([rest, chunk]);
        continue;
      }
      yield givenIn(Buffer.concat([rest, chunk.subarray(0, last)]).toString());
      rest = chunk.subarray(last + 1);
    }
  }
}

/** A sorted part while it is read. */
class Run {
  head: Given | undefined;
  private batch: readonly Given[] = [];
  private at = 0;

  constructor(private readonly batches: AsyncGenerator<readonly Given[]>) {}

  /** Undefined if nothing had to be read: awaiting each time would cost more than the rest. */
  advance(): Promise<void> | undefined {
    this.head = this.batch[this.at++];
    return this.head === undefined ? this.next() : undefined;
  }

  private async next(): Promise<void> {
    const next = await this.batches.next();
    if (next.done === true) return;
    [this.batch, this.at] = [next.value, 0];
    await this.advance();
  }
}

const lowest = (runs: readonly Run[]): number =>
  runs.reduce((least, { head }) => Math.min(least, head?.row ?? Infinity), Infinity);

const sorted = (given: readonly Given[]): Given[] => given.toSorted((a, b) => a.row - b.row);

async function* oneBatch(given: readonly Given[]): AsyncGenerator<readonly Given[]> {
  yield await Promise.resolve(given);
}

const givenIn = (lines: string): Given[] =>
  lines.split('\n').map((line) => {
    const space = line.indexOf(' ');
    return { row: Number(line.slice(0, space)), annotations: line.slice(space + 1) };
  });
