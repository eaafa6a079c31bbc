import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaServiceError } from './errors.js';
import type { LocalFile } from './folder.js';

/** Escapes file names as browsers do in forms. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

interface Part {
  readonly path: string;
  readonly head: Buffer;
  readonly size: number;
}

const END_OF_PART = Buffer.from('\r\n');

/** A form with a batch of files, which are read while the form is written. */
export class FileForm {
  private constructor(
    private readonly folder: string,
    private readonly parts: readonly Part[],
    private readonly boundary: string,
  ) {}

  static async of(folder: string, files: readonly LocalFile[]): Promise<FileForm> {
    const boundary = `dms-${randomUUID()}`;
    const parts: Part[] = [];
    for (const { path } of files) {
      const { size } = await reading(path, () => stat(join(folder, path)));
      const head =
        `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${quoted(path)}"\r\n` +
        `Content-Type: application/octet-stream\r\n\r\n`;
      parts.push({ path, head: Buffer.from(head), size });
    }
    return new FileForm(folder, parts, boundary);
  }

  get type(): string {
    return `multipart/form-data; boundary=${this.boundary}`;
  }

  get length(): number {
    const parts = this.parts.reduce((sum, { head, size }) => sum + head.length + size + END_OF_PART.length, 0);
    return parts + this.end.length;
  }

  private get end(): Buffer {
    return Buffer.from(`--${this.boundary}--\r\n`);
  }

  /** Passes the chunks on one by one. Chunks of files are views of `buffer`, which is reused when `write` resolves. */
  async writeTo(write: (chunk: Uint8Array) => Promise<void>, buffer: Uint8Array): Promise<void> {
    for (const part of this.parts) {
      await write(part.head);
      await this.writeFile(part, write, buffer);
      await write(END_OF_PART);
    }
    await write(this.end);
  }

  private async writeFile(
    { path, size }: Part,
    write: (chunk: Uint8Array) => Promise<void>,
    buffer: Uint8Array,
  ): Promise<void> {
    const file = await reading(path, () => open(join(this.folder, path)));
    try {
      let left = size;
      for (;;) {
        const { bytesRead } = await reading(path, () => file.read(buffer, 0, buffer.length));
        if (bytesRead > left || (bytesRead === 0 && left > 0))
          throw new MediaServiceError(`${path} changed while it was sent. Start the upload again.`);
        if (bytesRead === 0) return;
        left -= bytesRead;
        await write(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
}

async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new MediaServiceError(`${path} could not be read: ${(error as Error).message}`, { cause: error });
  }
}
