import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PlainFigures {
  readonly metrics: Readonly<Record<string, number | null>>;
  /** In the order of the labels that were given. */
  readonly labels: readonly Readonly<Record<string, number | null>>[];
}

const PROGRAM = 'bench/support/plain-figures.py';
const MAX_OUTPUT = 2 ** 28;

/** What other programs, with the Python at this path, say of each set. */
export async function askPlainFigures(python: string, sets: readonly object[]): Promise<PlainFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'figures-'));
  try {
    const file = join(folder, 'sets.jsonl');
    await writeFile(file, sets.map((set) => `${JSON.stringify(set)}\n`).join(''));
    const { stdout } = await promisify(execFile)(python, ['-W', 'ignore', PROGRAM, file], { maxBuffer: MAX_OUTPUT });
    const lines = stdout.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as PlainFigures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
