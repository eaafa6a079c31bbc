import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresUrl } from './postgres-url';

const SERVER = 'postgres://media:secret@db.example.com/media';

describe('the URL of Postgres', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dms-postgres-url-'));
  const file = join(folder, 'ca.crt');
  writeFileSync(file, 'certificate');

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const mistake = (query: string): string =>
    postgresUrl.safeParse(`${SERVER}?${query}`).error?.issues[0]?.message ?? '';

  it('is unchanged without sslmode', () => {
    expect(postgresUrl.parse(SERVER)).toBe(SERVER);
  });

  it.each(['disable', 'require', 'verify-full', `verify-ca&sslrootcert=${encodeURIComponent(file)}`])(
    'is interpreted like libpq with sslmode=%s',
    (mode) => {
      expect(postgresUrl.parse(`${SERVER}?sslmode=${mode}`)).toBe(`${SERVER}?sslmode=${mode}&uselibpqcompat=true`);
    },
  );

  it('trusts the certificates of the system with sslrootcert=system', () => {
    expect(postgresUrl.parse(`${SERVER}?sslmode=verify-full&sslrootcert=system`)).toBe(
      `${SERVER}?sslmode=verify-full&uselibpqcompat=true`,
    );
  });

  it.each([
    ['sslmode=prefer', 'Use require, verify-ca or verify-full'],
    ['sslmode=on', 'It must be one of disable, require'],
    ['sslmode=verify-ca', 'without a file in sslrootcert'],
    ['sslmode=verify-ca&sslrootcert=system', 'without a file in sslrootcert'],
    [`sslrootcert=${file}`, 'Add sslmode=verify-full'],
    [`sslmode=verify-full&sslcert=${file}`, 'both sslcert and sslkey'],
    [`sslmode=verify-full&sslrootcert=${file}.missing`, 'ENOENT'],
  ])('is refused with %s', (query, sentence) => {
    expect(mistake(query)).toContain(sentence);
  });
});
