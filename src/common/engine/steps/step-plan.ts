import { Readable } from 'node:stream';
import type { ByteRange, ObjectStore } from '../../platform/storage/object-store';
import { jsonLine } from '../../platform/text/lines';
import type { StepDescription } from './step';

/** A plan is a list of steps in the store, as JSON lines: `<prefix>plans/<name>.ndjson`. Results are `<prefix>results/<id of the step>`. */
const PLANS = 'plans/';
const RESULTS = 'results/';
const ENDING = '.ndjson';

export const planKey = (prefix: string, name: string): string => `${prefix}${PLANS}${name}${ENDING}`;
export const plansPrefix = (prefix: string): string => `${prefix}${PLANS}`;
export const resultsPrefix = (prefix: string): string => `${prefix}${RESULTS}`;
export const resultKey = (prefix: string, id: string): string => `${prefix}${RESULTS}${id}`;

export const planNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1, -ENDING.length);
export const stepIdOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

export const isPlanKey = (key: string): boolean => key.includes(`/${PLANS}`);
/** The prefix of the results of the steps in a plan. */
export const prefixOfPlan = (key: string): string => key.slice(0, key.lastIndexOf(`/${PLANS}`) + 1);

const LINES_AT_ONCE = 256;

/** Returns the number of steps. Throws ObjectExistsError if there is a plan with this name. */
export async function writePlan(
  store: ObjectStore,
  key: string,
  steps: AsyncIterable<StepDescription>,
): Promise<number> {
  let count = 0;
  async function* blocks(): AsyncGenerator<Buffer> {
    let lines: string[] = [];
    for await (const step of steps) {
      count += 1;
      if (lines.push(jsonLine(step)) < LINES_AT_ONCE) continue;
      yield Buffer.from(lines.join(''));
      lines = [];
    }
    if (lines.length > 0) yield Buffer.from(lines.join(''));
  }
  await store.put(key, Readable.from(blocks()), { ifAbsent: true });
  return count;
}

export interface PlanPage {
  readonly steps: readonly StepDescription[];
  /** The offset of the next page; null on the last one. */
  readonly next: number | null;
}

const PAGE_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Reads the complete lines of a page that starts at this offset. */
export async function readPlan(store: ObjectStore, key: string, size: number, offset: number): Promise<PlanPage> {
  for (let length = PAGE_BYTES; ; length *= 2) {
    const range: ByteRange = { start: offset, end: Math.min(offset + length, size) - 1 };
    if (range.end < range.start) return { steps: [], next: null };
    const bytes = await store.read(key, range);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && range.end < size - 1) continue;
    const steps = bytes
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as StepDescription);
    return { steps, next: offset + end < size ? offset + end : null };
  }
}
