import { chartOfVersion, createNamespace, get, Release, removeCharts, secret } from './support/cluster';
import { EXTERNAL } from './support/matrix';
import { kubectl, VERSION } from './support/programs';

const QUICKSTART = ['values-quickstart.yaml'];
const NAME = 'media-dataset-media-service';
const MIGRATION = `Job ${NAME}-migration`;

describe('a release', () => {
  let release: Release;

  beforeEach(async () => {
    release = new Release(await createNamespace());
  });
  afterAll(removeCharts);

  const versionOf = async (deployment: string): Promise<string | undefined> => {
    const found = (await get(release.namespace, 'deployments')).find(({ metadata }) => metadata.name === deployment);
    return found?.metadata.labels['app.kubernetes.io/version'];
  };
  const secrets = async (): Promise<unknown> => [
    await secret(release.namespace, `${NAME}-secret-key`),
    await secret(release.namespace, `${NAME}-quickstart`),
  ];

  it('can be upgraded from the previous version, rolled back and upgraded again, with the same secrets', async () => {
    const before = await chartOfVersion('0.0.9');
    expect(await release.install({ chart: before, files: QUICKSTART })).toEqual([MIGRATION]);
    const kept = await secrets();
    expect(await versionOf(`${NAME}-api`)).toBe('0.0.9');

    expect(await release.upgrade({ files: QUICKSTART })).toEqual([MIGRATION]);
    expect(await versionOf(`${NAME}-api`)).toBe(VERSION);
    expect(await secrets()).toEqual(kept);

    expect(await release.run(['rollback', 'media', '1', '--timeout', '8m'])).toEqual([MIGRATION]);
    expect(await versionOf(`${NAME}-api`)).toBe('0.0.9');
    expect(await secrets()).toEqual(kept);

    await release.upgrade({ files: QUICKSTART });
    expect(await versionOf(`${NAME}-worker`)).toBe(VERSION);
    expect((await release.history()).map(({ status }) => status)).toEqual([
      'superseded',
      'superseded',
      'superseded',
      'deployed',
    ]);
  });

  it('stays unchanged if the migration fails', async () => {
    const before = await chartOfVersion('0.0.9');
    await release.install({ chart: before, values: EXTERNAL });
    await expect(release.upgrade({ values: EXTERNAL, fail: true })).rejects.toThrow(/pre-upgrade hooks failed/);
    expect(await versionOf(`${NAME}-api`)).toBe('0.0.9');

    await release.upgrade({ values: EXTERNAL });
    await expect(release.run(['rollback', 'media', '1', '--timeout', '8m'], true)).rejects.toThrow(
      /job media-dataset-media-service-migration failed/,
    );
    expect(await versionOf(`${NAME}-api`)).toBe(VERSION);
  });

  it('is not downgraded, unless explicitly allowed', async () => {
    await release.install({ values: EXTERNAL });
    const chart = await chartOfVersion('0.0.9');
    await expect(release.upgrade({ chart, values: EXTERNAL })).rejects.toThrow(
      /This upgrade was refused: it is a downgrade from [0-9.]+ to 0\.0\.9, .* restore a backup/,
    );
    await release.upgrade({ chart, values: { ...EXTERNAL, upgradeGuard: { accept: ['downgrade'] } } });
    expect(await versionOf(`${NAME}-api`)).toBe('0.0.9');
  });

  it.each([
    ['storage', { storage: { url: 's3://other', endpoint: 'https://s3.example.com', existingSecret: 'dms-secrets' } }],
    ['database', { database: {}, quickstart: { postgres: { enabled: true } } }],
    ['secretKey', { secretKey: { existingSecret: 'another' } }],
    ['name', { fullnameOverride: 'another' }],
  ])('is not upgraded to values that lose data, unless confirmed: %s', async (what, values) => {
    await release.install({ values: EXTERNAL });
    const wanted = { ...EXTERNAL, ...values };
    await expect(release.upgrade({ values: wanted })).rejects.toThrow(
      new RegExp(`This upgrade was refused: it changes the ${what} from .* add "${what}" to upgradeGuard\\.accept`),
    );
    await release.upgrade({ values: { ...wanted, upgradeGuard: { accept: [what] } } });
    expect((await release.history()).at(-1)).toMatchObject({ status: 'deployed' });
  });

  it('is not upgraded without its generated secrets, and reuses them after it was uninstalled', async () => {
    await release.install({ files: QUICKSTART });
    const kept = await secrets();
    await release.run(['uninstall', 'media']);
    expect(await secrets()).toEqual(kept);
    await release.install({ files: QUICKSTART });
    expect(await secrets()).toEqual(kept);

    await kubectl(['delete', 'secret', `${NAME}-secret-key`, '--namespace', release.namespace]);
    await expect(release.upgrade({ files: QUICKSTART })).rejects.toThrow(
      /the Secret media-dataset-media-service-secret-key of this release is gone/,
    );
  });

  it('has a secret key of 32 bytes', async () => {
    await release.install({ files: QUICKSTART });
    const { SECRET_KEY } = await secret(release.namespace, `${NAME}-secret-key`);
    expect(Buffer.from(SECRET_KEY!, 'base64')).toHaveLength(32);
    const { DATABASE_URL, POSTGRES_PASSWORD } = await secret(release.namespace, `${NAME}-quickstart`);
    expect(DATABASE_URL).toBe(`postgres://media:${POSTGRES_PASSWORD!}@${NAME}-postgres:5432/media`);
  });
});
