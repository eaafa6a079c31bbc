import { open, type FileHandle } from 'node:fs/promises';
import { strideOf } from '../../../common/engine/similarity/vectors/vector-table';

const BUFFER_BYTES = 4 * 2 ** 20;

/** Writes vectors to a file as the comparison reads them: each padded to the stride of a row. */
export class VectorFileWriter {
  private readonly buffer: Float32Array;
  private readonly stride: number;
  private filled = 0;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    dimension: number,
  ) {
    this.stride = strideOf(dimension);
    this.buffer = new Float32Array(Math.max(1, Math.floor(BUFFER_BYTES / 4 / this.stride)) * this.stride);
  }

  static async create(path: string, dimension: number): Promise<VectorFileWriter> {
    return new VectorFileWriter(path, await open(path, 'wx'), dimension);
  }

  /** A missing vector is written as zeros. */
  async add(vector: ArrayLike<number> | null): Promise<void> {
    if (vector !== null) this.buffer.set(vector, this.filled);
    this.filled += this.stride;
    if (this.filled === this.buffer.length) await this.flush();
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.close();
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async flush(): Promise<void> {
    const bytes = new Uint8Array(this.buffer.buffer, 0, this.filled * Float32Array.BYTES_PER_ELEMENT);
    for (let at = 0; at < bytes.length;) at += (await this.file.write(bytes, at)).bytesWritten;
    this.buffer.fill(0);
    this.filled = 0;
  }
}
