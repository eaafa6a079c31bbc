import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The maximum per call: Node accepts less than 2 GiB. */
const MOST_BYTES = 2 ** 30;

/** The files of one computation, in a separate folder that the caller removes. */
export class ScratchFiles {
  private readonly open = new Map<string, number>();

  constructor(private readonly folder: string) {}

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  /** Opened for reading and writing. Other threads may use the descriptor. */
  create(name: string): number {
    const file = openSync(this.pathOf(name), 'w+');
    this.open.set(name, file);
    return file;
  }

  openPath(path: string): number {
    const file = openSync(path, 'r');
    this.open.set(path, file);
    return file;
  }

  /** Does nothing if the file is not open any more. */
  remove(name: string): void {
    const file = this.open.get(name);
    if (file === undefined) return;
    closeSync(file);
    this.open.delete(name);
    rmSync(name.startsWith('/') ? name : this.pathOf(name), { force: true });
  }

  close(): void {
    for (const file of this.open.values()) closeSync(file);
    this.open.clear();
  }
}

export function readFully(file: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length;) {
    const read = readSync(file, into, at, Math.min(MOST_BYTES, into.length - at), position + at);
    if (read === 0)
      throw new Error(`A scratch file ends at ${position + at} instead of ${position + into.length} bytes`);
    at += read;
  }
}

export function writeFully(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;)
    at += writeSync(file, bytes, at, Math.min(MOST_BYTES, bytes.length - at), position + at);
}
