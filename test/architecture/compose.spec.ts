import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { readConfiguration } from '../../src/common/platform/config/configuration';
import { environmentSchema } from '../../src/common/platform/config/environment.schema';

interface Service {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<'api' | 'worker' | 'postgres' | 's3' | 'keycloak', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const folder = join(__dirname, '..', '..', 'docker');
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const REFERENCE = /\$\{([A-Z_0-9]+)(?::\?[^}]*)?\}/g;

describe('docker/compose.yaml', () => {
  let source: string;
  let compose: Compose;
  let example: string;

  beforeAll(async () => {
    source = await text('compose.yaml');
    compose = load(source, { schema: YAML11_SCHEMA }) as Compose;
    example = await text('.env.example');
  });

  const given = (): Record<string, string> =>
    Object.fromEntries([...example.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
  const secrets = (): Record<string, string> => ({
    ...Object.fromEntries(Object.entries(given()).map(([name, value]) => [name, value === '' ? 'a1b2c3d4' : value])),
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const environmentOf = (service: Service): Record<string, string> =>
    Object.fromEntries(
      Object.entries(service.environment).map(([name, value]) => [
        name,
        value.replaceAll(REFERENCE, (_, reference: string) => secrets()[reference]!),
      ]),
    );

  it('sets only variables that the service reads', () => {
    const { api, worker } = compose.services;
    const names = [api, worker].flatMap(({ environment }) => Object.keys(environment));
    expect(names.filter((name) => !(name in environmentSchema.shape))).toEqual([]);
    expect({ ...worker.environment, ROLE: 'api' }).toEqual(api.environment);
  });

  it('is a configuration that the service accepts', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'dms-compose-'));
    try {
      for (const role of ['api', 'worker'] as const) {
        const variables = { ...environmentOf(compose.services[role]), DATA_DIR: dataDir, HOST: '0.0.0.0' };
        expect(readConfiguration(variables)).toMatchObject({ role, storageUrl: 's3://media/service' });
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('requires exactly the values in the example', () => {
    const asked = new Set([...source.matchAll(REFERENCE)].map(([, name]) => name!));
    expect([...asked].sort()).toEqual(Object.keys(given()).sort());
    expect(source.match(/\$(?!\{[A-Z_0-9]+:\?)/g)).toBeNull();
  });

  it('has a command that creates its secrets', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'dms-make-env-'));
    try {
      for (const name of ['.env.example', 'make-env']) await copyFile(join(folder, name), join(copy, name));
      execFileSync('sh', [join(copy, 'make-env')]);
      const made = await readFile(join(copy, '.env'), 'utf8');
      const values = [...made.matchAll(/^[A-Z_0-9]+=(.+)$/gm)].map(([, value]) => value!);
      expect(new Set(values).size).toBe(Object.keys(given()).length);
      const secretKey = /^SECRET_KEY=(.*)$/m.exec(made)?.[1];
      expect(Buffer.from(secretKey!, 'base64')).toHaveLength(32);
      expect((await stat(join(copy, '.env'))).mode & 0o077).toBe(0);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });

  it('passes values to the Keycloak realm, which contains no secrets', async () => {
    const realm = await text('keycloak-realm.json');
    const asked = [...realm.matchAll(REFERENCE)].map(([, name]) => name!);
    const { keycloak, api } = compose.services;
    expect(asked.filter((name) => !(name in keycloak.environment))).toEqual([]);
    const { clients, users } = JSON.parse(realm) as {
      clients: readonly { clientId: string; secret: string; redirectUris?: readonly string[] }[];
      users: readonly { credentials?: readonly { value: string }[] }[];
    };
    expect(clients.map(({ clientId }) => clientId)).toEqual([
      api.environment['OIDC_CLIENT_ID'],
      api.environment['KEYCLOAK_ADMIN_CLIENT_ID'],
    ]);
    expect(clients[0]?.redirectUris).toEqual([`${api.environment['BASE_URL']}/api/v1/oidc/callback`]);
    const values = [
      ...clients.map(({ secret }) => secret),
      ...users.flatMap((user) => user.credentials ?? []).map(({ value }) => value),
    ];
    expect(values.filter((value) => !/^\$\{[A-Z_]+\}$/.test(value))).toEqual([]);
  });

  it('waits for healthy services, and runs the service as the image specifies', () => {
    const { services, volumes } = compose;
    for (const service of [services.api, services.worker]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe('service_healthy');
        expect(services[name as keyof typeof services].healthcheck).toBeDefined();
      }
    }
    const named = Object.values(services)
      .flatMap((service) => service.volumes)
      .map((volume) => volume.split(':')[0]!)
      .filter((name) => /^[a-z]/.test(name));
    expect(named.sort()).toEqual(Object.keys(volumes).sort());
  });

  it('runs images of fixed versions, including the version in package.json', async () => {
    const { version } = JSON.parse(await readFile(join(folder, '..', 'package.json'), 'utf8')) as { version: string };
    const images = Object.values(compose.services).map(({ image }) => image);
    expect(images.filter((image) => !/:[\w.-]*\d[\w.-]*$/.test(image))).toEqual([]);
    expect(compose.services.api.image).toBe(`dataset-media-service:${version}`);
  });
});
