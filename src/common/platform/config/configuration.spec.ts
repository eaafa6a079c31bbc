import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration, type KeycloakAdminConfiguration } from './configuration';
import { ConfigurationError } from './configuration-error';

describe('the managed realm', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dms-configuration-'));
  const keycloakAdmin = (issuer: string): KeycloakAdminConfiguration | null =>
    readConfiguration({
      DATA_DIR: folder,
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'media',
      OIDC_CLIENT_SECRET: 'secret',
      KEYCLOAK_ADMIN_URL: 'https://keycloak.internal/auth/',
      KEYCLOAK_ADMIN_CLIENT_ID: 'admin',
      KEYCLOAK_ADMIN_CLIENT_SECRET: 'secret',
    }).keycloakAdmin;

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['https://login.example.com/realms/media', 'media'],
    ['https://login.example.com/auth/realms/media/', 'media'],
    ['https://login.example.com/realms/the%20media', 'the media'],
  ])('is the realm of %s', (issuer, realm) => {
    expect(keycloakAdmin(issuer)).toMatchObject({ url: 'https://keycloak.internal/auth', realm });
  });

  it.each([
    'https://login.example.com',
    'https://login.example.com/realms/',
    'https://login.example.com/realms/media/protocol',
    'https://login.example.com/realms/media?x=1',
    'https://login.example.com/realms/%zz',
  ])('is missing in %s', (issuer) => {
    expect(() => keycloakAdmin(issuer)).toThrow(
      new ConfigurationError(
        `KEYCLOAK_ADMIN_URL manages the users of a realm, so OIDC_ISSUER=${issuer} must end with /realms/ and its name.`,
      ),
    );
  });
});

describe('the data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dms-configuration-'));

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is accessible only to its user, even if an earlier version left it readable to others', () => {
    const open = join(folder, 'a', 'data');
    readConfiguration({ DATA_DIR: open });
    chmodSync(open, 0o755);
    readConfiguration({ DATA_DIR: open });
    expect(statSync(open).mode & 0o777).toBe(0o700);
  });

  it('ends the start with a one-sentence error if it is not writable', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => readConfiguration({ DATA_DIR: join(folder, 'file', 'data') })).toThrow(
      /^DATA_DIR=.*file\/data can't be written to \(ENOTDIR.*\): set DATA_DIR to a folder/,
    );
  });
});

describe('the engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dms-configuration-'));
  const ray = { DATA_DIR: folder, ENGINE: 'ray', RAY_ADDRESS: 'http://ray-head:8265/', STORAGE_URL: 'file:///shared' };

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is local, or a Ray cluster with its token', () => {
    expect(readConfiguration({ DATA_DIR: folder, RAY_ADDRESS: 'http://ray-head:8265' }).ray).toBeNull();
    expect(readConfiguration(ray).ray).toEqual({
      address: 'http://ray-head:8265',
      token: null,
    });
    expect(readConfiguration({ ...ray, RAY_AUTH_TOKEN: 'abc' }).ray).toMatchObject({ token: 'abc' });
  });

  it.each<readonly [Readonly<Record<string, string>>, string]>([
    [{ ENGINE: 'spark' }, 'ENGINE=spark is not valid: it must be local or ray.'],
    [
      { RAY_ADDRESS: '', STORAGE_URL: '' },
      'ENGINE=ray hands work to the nodes of a Ray cluster, so RAY_ADDRESS and STORAGE_URL must be set.',
    ],
    [{ STORAGE_URL: '' }, 'ENGINE=ray hands work to the nodes of a Ray cluster, so STORAGE_URL must be set.'],
    ...['ray://head:10001', 'head:8265', 'http://head/path', 'http://someone:password@head:8265'].map(
      (address) =>
        [
          { RAY_ADDRESS: address },
          'RAY_ADDRESS is not valid: it must be the URL of a Ray dashboard such as http://ray-head:8265, without a path or credentials.',
        ] as const,
    ),
    [{ RAY_AUTH_TOKEN: 'a b' }, 'RAY_AUTH_TOKEN is not valid: it must be one word, without blanks.'],
  ])('ends the start with a one-sentence error for %j', (variables, sentence) => {
    expect(() => readConfiguration({ ...ray, ...variables })).toThrow(new ConfigurationError(sentence));
  });
});
