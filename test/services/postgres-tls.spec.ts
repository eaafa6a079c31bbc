import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresUrl } from '../../src/common/platform/config/postgres-url';
import { connect, createDataSource } from '../../src/common/platform/database/data-source';
import { EmbeddedPostgres } from '../../src/common/platform/database/embedded-postgres';

const run = promisify(execFile);

interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Certificates as in a company: an authority, and certificates of the server and of a client. */
class Authority {
  private constructor(
    private readonly folder: string,
    readonly own: Certificate,
  ) {}

  static async create(folder: string, name: string): Promise<Authority> {
    const own = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
    const output = ['-keyout', own.key, '-out', own.certificate];
    await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      ...output,
    ]);
    return new Authority(folder, own);
  }

  async issue(name: string, alternative: string): Promise<Certificate> {
    const issued = { certificate: join(this.folder, `${name}.crt`), key: join(this.folder, `${name}.key`) };
    const request = join(this.folder, `${name}.csr`);
    const extensions = join(this.folder, `${name}.ext`);
    await writeFile(extensions, `subjectAltName=${alternative}`);
    await run('openssl', [
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      issued.key,
      '-out',
      request,
    ]);
    const by = ['-CA', this.own.certificate, '-CAkey', this.own.key, '-CAcreateserial', '-extfile', extensions];
    await run('openssl', ['x509', '-req', '-in', request, '-days', '2', ...by, '-out', issued.certificate]);
    return issued;
  }
}

describe('Postgres with TLS', () => {
  let folder: string;
  let postgres: EmbeddedPostgres | undefined;
  let ours: Authority;
  let foreign: Authority;
  let client: Certificate;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-tls-'));
    ours = await Authority.create(folder, 'ours');
    foreign = await Authority.create(folder, 'foreign');
    // The name in the certificate is not the address 127.0.0.1.
    const server = await ours.issue('server', 'DNS:localhost');
    const place = join(folder, 'postgres');
    const directory = join(place, 'cluster');
    const before = await EmbeddedPostgres.start({ folder: place });
    const [{ user }] = await ask<{ user: string }>(before.url, 'SELECT current_user AS user');
    await before.stop();
    client = await ours.issue(user, 'DNS:client');
    const owner = await stat(directory);
    for (const [name, from] of [
      ['server.crt', server.certificate],
      ['server.key', server.key],
      ['root.crt', ours.own.certificate],
    ] as const) {
      await copyFile(from, join(directory, name));
      await chmod(join(directory, name), 0o600);
      await chown(join(directory, name), owner.uid, owner.gid);
    }
    postgres = await EmbeddedPostgres.start({
      folder: place,
      settings: { ssl: 'on', ssl_ca_file: 'root.crt', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key' },
    });
  });

  afterAll(async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const url = (host: string, parameters: Record<string, string>): string => {
    const address = new URL(postgres!.url);
    address.hostname = host;
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return postgresUrl.parse(address.href);
  };

  const session = (
    host: string,
    parameters: Record<string, string>,
  ): Promise<{ ssl: boolean; client_dn: string | null }[]> =>
    ask(url(host, parameters), 'SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()');

  it.each([
    ['disable', '127.0.0.1', false],
    ['require', '127.0.0.1', true],
    ['verify-ca', '127.0.0.1', true],
    ['verify-full', 'localhost', true],
  ])('is used with sslmode=%s at %s', async (sslmode, host, ssl) => {
    const trusted = sslmode.startsWith('verify') ? { sslrootcert: ours.own.certificate } : {};
    expect(await session(host, { sslmode, ...trusted })).toEqual([{ ssl, client_dn: null }]);
  });

  it('accepts a client certificate', async () => {
    const { certificate: sslcert, key: sslkey } = client;
    const [seen] = await session('localhost', {
      sslmode: 'verify-full',
      sslrootcert: ours.own.certificate,
      sslcert,
      sslkey,
    });
    expect(seen!.client_dn).toMatch(/^\/CN=/);
  });

  it.each([
    ['verify-full', '127.0.0.1', 'ours'],
    ['verify-full', 'localhost', 'foreign'],
    ['verify-ca', '127.0.0.1', 'foreign'],
    ['require', '127.0.0.1', 'foreign'],
  ])('is refused with sslmode=%s at %s and the certificate authority "%s"', async (sslmode, host, authority) => {
    const sslrootcert = (authority === 'ours' ? ours : foreign).own.certificate;
    await expect(session(host, { sslmode, sslrootcert })).rejects.toThrow(/certificate/);
  });
});

async function ask<Row>(url: string, query: string): Promise<[Row, ...Row[]]> {
  const source = createDataSource({ url, applicationName: 'test', poolSize: 1, entities: [], migrations: [] });
  await connect(source, 0);
  try {
    return await source.query<[Row, ...Row[]]>(query);
  } finally {
    await source.destroy();
  }
}
