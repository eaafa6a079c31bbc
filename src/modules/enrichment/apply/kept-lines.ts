import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const WRITTEN_AT_ONCE = 2 ** 20;

/** Lines on disk, each read by its number. */
export class KeptLines {
  private constructor(
    private readonly file: FileHandle,
    /** Line i is from bounds[i] to bounds[i + 1]. */
    private readonly bounds: Float64Array,
  ) {}

  /** The file has no name, so that nothing of it stays when the process is killed. */
  static async of(folder: string, lines: AsyncIterable<string>, count: number): Promise<KeptLines> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `findings-${randomUUID()}`);
    const file = await open(path, 'wx+');
    await unlink(path);
    try {
      return new KeptLines(file, await written(file, lines, count));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async line(number: number): Promise<string> {
    const [from, to] = [this.bounds[number]!, this.bounds[number + 1]!];
    const bytes = Buffer.allocUnsafe(to - from);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.file.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) throw new Error('The file of findings was cut off');
      at += bytesRead;
    }
    return bytes.toString();
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

async function written(file: FileHandle, lines: AsyncIterable<string>, count: number): Promise<Float64Array> {
  const bounds = new Float64Array(count + 1);
  let [waiting, waitingBytes, at] = [[] as Buffer[], 0, 0];
  const flush = async (): Promise<void> => {
    await file.appendFile(Buffer.concat(waiting));
    [waiting, waitingBytes] = [[], 0];
  };
  for await (const line of lines) {
    const bytes = Buffer.from(line);
    waiting.push(bytes);
    waitingBytes += bytes.length;
    bounds[at + 1] = bounds[at]! + bytes.length;
    at += 1;
    if (waitingBytes >= WRITTEN_AT_ONCE) await flush();
  }
  await flush();
  if (at !== count) throw new Error(`There are ${at} lines instead of ${count}`);
  return bounds;
}
