import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface ToolFigures {
  /** In the order of the tool: ten of keypoints, otherwise twelve; FiftyOne has only the first. */
  readonly stats: readonly number[];
  /** The average precision of each category. */
  readonly classes: readonly number[];
}

export const TOOLS = ['pycocotools', 'faster-coco-eval', 'fiftyone'] as const;
export type Tool = (typeof TOOLS)[number];

const PROGRAM = 'test/support/coco-tools.py';
const MAX_OUTPUT = 2 ** 28;

async function ask(python: string, ...given: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(python, ['-W', 'ignore', PROGRAM, ...given], { maxBuffer: MAX_OUTPUT });
  return stdout.trim().split('\n');
}

/** What pycocotools, with the Python at this path, says of each set. */
export async function figuresOfSets(python: string, sets: readonly object[]): Promise<ToolFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coco-sets-'));
  try {
    const file = join(folder, 'sets.jsonl');
    await writeFile(file, sets.map((set) => `${JSON.stringify(set)}\n`).join(''));
    return (await ask(python, 'pycocotools', 'sets', file)).map((line) => JSON.parse(line) as ToolFigures);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long a tool takes for the files of a folder, and what it says. */
export async function timeOfTool(
  python: string,
  tool: Tool,
  folder: string,
): Promise<ToolFigures & { seconds: number }> {
  const lines = await ask(python, tool, 'time', folder);
  return JSON.parse(lines.at(-1)!) as ToolFigures & { seconds: number };
}
