import childProcess from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelRegistry } from '../../src/common/engine/models/model-registry';
import { StartError } from '../../src/common/platform/config/configuration-error';
import { fetchPackage } from '../../src/model-tools/packages/fetch-package';
import { installModels } from '../../src/model-tools/packages/install-models';
import { readEntries, type ModelEntry, type ModelPackage } from '../../src/model-tools/packages/model-package';
import { Random } from '../support/random';

const MUTATIONS = Number(process.env['MUTATIONS'] ?? 100);
/** Of those, how many have their own size and hash in the catalogue, so that they are unpacked and converted. */
const CONVERTED = Math.ceil(MUTATIONS / 10);
const TIMEOUT_MS = 60 * 60_000;
const EDGE = 64 * 1024;

/** Each begins or ends where a format has its headers, or anywhere. */
const CHANGES: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer>> = {
  cut: (bytes, random) => bytes.subarray(0, random.integer(bytes.length)),
  extended: (bytes, random) => Buffer.concat([bytes, bytes.subarray(0, 1 + random.integer(EDGE))]),
  'changed at its start': (bytes, random) => flipped(bytes, random, 0, Math.min(EDGE, bytes.length)),
  'changed at its end': (bytes, random) => flipped(bytes, random, Math.max(0, bytes.length - EDGE), bytes.length),
  'changed anywhere': (bytes, random) => flipped(bytes, random, 0, bytes.length),
  'without a block': (bytes, random) => {
    const from = random.integer(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.integer(EDGE))]);
  },
};

function flipped(bytes: Buffer, random: Random, from: number, to: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let bits = 1 + random.integer(16); bits > 0; bits--) {
    const at = from + random.integer(to - from);
    copy[at] = copy[at]! ^ (1 << random.integer(8));
  }
  return copy;
}

describe('damaged packages', () => {
  const { signal } = new AbortController();
  const spawned = jest.spyOn(childProcess, 'spawn');
  let folder: string;
  let dataDir: string;
  let entries: ModelEntry[];
  /** By hash. */
  const files = new Map<string, string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mutated-'));
    dataDir = join(folder, 'data');
    entries = readEntries();
    for (const each of entries.flatMap(({ packages }) => packages)) {
      if (files.has(each.sha256)) continue;
      const place = join(folder, each.sha256);
      await mkdir(place);
      files.set(each.sha256, await fetchPackage(each, place, signal));
    }
    expect(spawned).toHaveBeenCalledTimes(files.size);
    spawned.mockClear();
  }, TIMEOUT_MS);

  beforeEach(() => mkdir(dataDir));
  afterEach(async () => {
    expect(spawned).not.toHaveBeenCalled();
    await rm(dataDir, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A package of an entry, changed at random. */
  async function mutated(round: number) {
    const random = new Random(4200, round);
    const entry = entries[round % entries.length]!;
    const changed = random.pick(entry.packages);
    const change = random.pick(Object.keys(CHANGES));
    const bytes = CHANGES[change]!(await readFile(files.get(changed.sha256)!), random);
    const path = join(folder, 'package');
    await writeFile(path, bytes);
    return { entry, changed, bytes, path, what: `round ${round}: ${changed.name} ${change}` };
  }

  const install = (entry: ModelEntry, from: readonly string[], catalogue?: string): Promise<unknown> =>
    installModels(
      { modelsDir: null, dataDir },
      [entry.manifest.id],
      { from, signal, ...(catalogue && { catalogue }) },
      () => undefined,
    ).then(
      () => undefined,
      (error: unknown) => error,
    );

  const written = async (): Promise<string[]> => {
    const found = await readdir(dataDir, { recursive: true, withFileTypes: true });
    return found.filter((each) => !each.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  };

  it(
    'are refused by their hash, and nothing is written',
    async () => {
      for (let round = 0; round < MUTATIONS; round++) {
        const { entry, bytes, changed, path, what } = await mutated(round);
        if (hash('sha256', bytes) === changed.sha256) continue;
        const error = await install(entry, [path]);
        expect({ what, error }).toEqual({ what, error: expect.any(StartError) as unknown });
        expect((error as Error).message).toMatch(/^.* is none of the packages needed: for [^\n]*\.$/);
        expect({ what, written: await written() }).toEqual({ what, written: [] });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'are refused in a sentence if the catalogue has their hash, or make a whole model',
    async () => {
      let refused = 0;
      for (let round = 0; round < CONVERTED; round++) {
        const { entry, changed, bytes, path, what } = await mutated(round);
        const itself: ModelPackage = { ...changed, bytes: bytes.length, sha256: hash('sha256', bytes) };
        if (itself.bytes === 0) continue;
        const packages = entry.packages.map((each) => (each === changed ? itself : each));
        const catalogue = join(folder, 'catalogue');
        await mkdir(catalogue, { recursive: true });
        await writeFile(join(catalogue, `${entry.manifest.id}.json`), JSON.stringify({ ...entry, packages }));
        const others = entry.packages.filter((each) => each !== changed).map(({ sha256 }) => files.get(sha256)!);
        const error = await install(entry, [path, ...others], catalogue);
        await rm(catalogue, { recursive: true });
        if (error === undefined) {
          const registry = await ModelRegistry.load(null, { dataDir });
          expect({ what, has: registry.has(entry.manifest.id) }).toEqual({ what, has: true });
          await rm(join(dataDir, 'models', entry.manifest.id), { recursive: true });
          continue;
        }
        refused += 1;
        expect({ what, error }).toEqual({ what, error: expect.any(StartError) as unknown });
        expect((error as Error).message).toMatch(/^Not installed: [\w.-]+\. [^\n]+\.$/);
        expect({ what, written: await written() }).toEqual({ what, written: [] });
      }
      expect(refused).toBeGreaterThan(CONVERTED / 3);
    },
    TIMEOUT_MS,
  );
});
