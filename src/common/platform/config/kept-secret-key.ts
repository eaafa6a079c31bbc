import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodeSecretKey, keptKeyPath } from './secret-key';

/** The secret key that a data folder keeps, and the one that is about to replace it. */
export class KeptSecretKey {
  private readonly path: string;
  private readonly nextPath: string;

  constructor(dataDir: string) {
    this.path = keptKeyPath(dataDir);
    this.nextPath = `${this.path}.next`;
  }

  current(): Buffer | undefined {
    return this.read(this.path);
  }

  /** Left by a replacement that did not come to its end. */
  next(): Buffer | undefined {
    return this.read(this.nextPath);
  }

  /** Before what it seals is committed: whenever we die from here on, either file holds the key that opens. */
  prepare(key: Uint8Array): void {
    const draft = `${this.nextPath}.draft`;
    writeFileSync(draft, Buffer.from(key).toString('base64'), { mode: 0o600, flush: true });
    this.show(draft, this.nextPath);
  }

  /** Once all is sealed by it. */
  replace(): void {
    this.show(this.nextPath, this.path);
  }

  private show(from: string, to: string): void {
    renameSync(from, to);
    const folder = openSync(dirname(to), 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  private read(path: string): Buffer | undefined {
    return existsSync(path) ? decodeSecretKey(readFileSync(path, 'utf8'), path) : undefined;
  }
}
