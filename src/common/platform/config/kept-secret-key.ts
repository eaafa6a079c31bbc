import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { decodeSecretKey, keptKeyPath } from './secret-key';
import { environmentSchema } from './environment.schema';
import { parseVariables, type Variables } from './variable-types';

/** The configuration of the command that rotates the secret key. */
export interface RotationConfiguration {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly oldKey: Buffer | undefined;
  readonly newKey: Buffer | undefined;
}

const rotationSchema = environmentSchema
  .pick({ DATA_DIR: true, DATABASE_URL: true, SECRET_KEY: true })
  .extend({ OLD_SECRET_KEY: z.string().optional() });

/** The secret key stored in a data folder, and the one that is about to replace it during a rotation. */
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

  /** The new key of an interrupted rotation. */
  next(): Buffer | undefined {
    return this.read(this.nextPath);
  }

  /** Called before the resealed data is committed, so that one of the two files has the right key even after a crash. */
  prepare(key: Uint8Array): void {
    const draft = `${this.nextPath}.draft`;
    writeFileSync(draft, Buffer.from(key).toString('base64'), { mode: 0o600, flush: true });
    this.renameDurably(draft, this.nextPath);
  }

  /** Called once everything is sealed with the new key. */
  replace(): void {
    this.renameDurably(this.nextPath, this.path);
  }

  private renameDurably(from: string, to: string): void {
    renameSync(from, to);
    const folder = openSync(dirname(to), 'r');
    fsyncSync(folder);
    closeSync(folder);
  }

  private read(path: string): Buffer | undefined {
    return existsSync(path) ? decodeSecretKey(readFileSync(path, 'utf8'), path) : undefined;
  }
}

export function readRotation(variables: Variables = process.env): RotationConfiguration {
  const env = parseVariables(rotationSchema, variables);
  const keyOf = (name: 'OLD_SECRET_KEY' | 'SECRET_KEY'): Buffer | undefined => {
    const text = env[name];
    return text === undefined ? undefined : decodeSecretKey(text, name);
  };
  return {
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    oldKey: keyOf('OLD_SECRET_KEY'),
    newKey: keyOf('SECRET_KEY'),
  };
}
