import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { JobAttempt } from '../../../common/platform/jobs/job-handler';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { SourceFile } from '../sources/domain/source-file';

/** Prefix of the temporary objects of a task. */
export const WORK_PREFIX = 'work/';
export const workPrefix = (taskId: string): string => `${WORK_PREFIX}${taskId}/`;

/** Part of the names that an attempt writes, so that one that lost its lease can't overwrite its successor's. */
export const attemptName = ({ runId, attempt }: JobAttempt): string => `${runId}-${attempt}`;

/** Streams the list of a run's files to the store, as JSON lines. */
export async function writeFileList(store: ObjectStore, key: string, files: AsyncIterable<SourceFile>): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const file of files) yield `${JSON.stringify(file)}\n`;
  }
  await store.put(key, Readable.from(inBlocks(lines())));
}

const BLOCK_CHARACTERS = 64 * 1024;

async function* inBlocks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let block = '';
  for await (const line of lines) {
    block += line;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield Buffer.from(block);
    block = '';
  }
  if (block !== '') yield Buffer.from(block);
}

export async function* readFileList(store: ObjectStore, key: string, skip: number): AsyncGenerator<SourceFile> {
  const input = await store.get(key);
  let at = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (at >= skip) yield JSON.parse(line) as SourceFile;
      at += 1;
    }
  } finally {
    input.destroy();
  }
}
