import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';

const root = join(__dirname, '..', '..');
const run = promisify(execFile);
const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
const packageVersion = async (): Promise<string> =>
  (JSON.parse(await text('package.json')) as { version: string }).version;

describe('a release', () => {
  it('lists the installed third-party software', async () => {
    const checked = run(process.execPath, ['scripts/notices.mjs', '--check'], { cwd: root });
    await expect(checked).resolves.toBeDefined();
  });

  it('has one version', async () => {
    const version = await packageVersion();
    const lock = JSON.parse(await text('package-lock.json')) as { version: string };
    const image = /^ARG VERSION=(.*)$/m.exec(await text('docker/Dockerfile'))?.[1];
    expect({ lock: lock.version, image }).toEqual({ lock: version, image: version });
  });

  it('has a chart of the same version', async () => {
    const version = await packageVersion();
    const chart = load(await text('helm/dataset-media-service/Chart.yaml'));
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it('has clients of the same version', async () => {
    const version = await packageVersion();
    const typescript = JSON.parse(await text('sdk/typescript/package.json')) as { version: string };
    const pages = JSON.parse(await text('web/package.json')) as { version: string };
    const python = /^__version__ = "(.*)"$/m.exec(await text('sdk/python/src/dms_client/_version.py'))?.[1];
    expect({ typescript: typescript.version, pages: pages.version, python }).toEqual({
      typescript: version,
      pages: version,
      python: version,
    });
  });

  it('has a Ray driver of the same version', async () => {
    const driver = /^version = "(.*)"$/m.exec(await text('engine/pyproject.toml'))?.[1];
    expect(driver).toBe(await packageVersion());
  });

  it('is described in the changelog', async () => {
    expect(await text('CHANGELOG.md')).toMatch(new RegExp(`^## ${await packageVersion()}\\b`, 'm'));
  });
});
