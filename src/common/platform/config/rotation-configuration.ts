import { z } from 'zod';
import { environmentSchema } from './environment.schema';
import { parseVariables, type Variables } from './parse-variables';
import { decodeSecretKey } from './secret-key';

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
