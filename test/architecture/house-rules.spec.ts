import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { MODEL_RUNTIMES } from '../../src/common/engine/models/model-runtimes';
import { configurationPage } from '../../src/common/platform/config/configuration-page';
import { EXPORT_FORMATS } from '../../src/modules/export/archive/formats';
import { VQL_FILTERS } from '../../src/modules/search/query/domain/vql-filters';

const root = join(__dirname, '..', '..');
const MAX_LINES = 400;
const RUNTIMES = MODEL_RUNTIMES.map(({ type, name }) => `\`${type}\` \\| \`${name}\``);

async function sources(...folders: string[]): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
      const path = join(entry.parentPath, entry.name);
      found.push({ path: relative(root, path), text: await readFile(path, 'utf8') });
    }
  }
  return found;
}

describe('house rules', () => {
  it(`keep every file under ${MAX_LINES} lines`, async () => {
    const long = (await sources('src', 'sample', 'test', 'bench', 'models')).filter(
      ({ text }) => text.split('\n').length > MAX_LINES + 1,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('read the environment in common/platform/config only', async () => {
    const readers = (await sources('src')).filter(
      ({ path, text }) =>
        text.includes('process.env') && !path.startsWith('src/common/platform/config/') && !path.endsWith('.spec.ts'),
    );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('keep test support out of bench', async () => {
    const outside = (await sources('src', 'test')).filter(({ text }) => /from '(\.\.?\/)+bench\//.test(text));
    expect(outside.map(({ path }) => path)).toEqual([]);
  });

  it('forbid repositories of other modules in controllers', async () => {
    const asking = (await sources('src/modules')).filter(
      ({ path, text }) => path.includes('/http/') && /[a-z](Repository|Writer)\b/.test(text),
    );
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  it('require each module in the README', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const modules = await readdir(join(root, 'src', 'modules'));
    const [, list = ''] = /^\| `src\/modules\/` \| (.*)$/m.exec(readme) ?? [];
    const named = new Set(list.match(/[a-z-]+/g));
    expect(modules.filter((name) => !named.has(name))).toEqual([]);
  });

  it('require every variable in docs/configuration.md: `npm run describe` writes it', async () => {
    expect(await readFile(join(root, 'docs', 'configuration.md'), 'utf8')).toBe(configurationPage());
  });

  it.each<[file: string, lists: string, names: readonly string[], written: (name: string) => string]>([
    ['docs/tour.md', 'export formats', EXPORT_FORMATS, (name) => `\`${name}\``],
    ['sdk/python/src/dms_client/_sync/exports.py', 'export formats', EXPORT_FORMATS, (name) => `"${name}"`],
    ['sdk/typescript/src/cli/commands/export.ts', 'export formats', EXPORT_FORMATS, (name) => `help: .*\\b${name}\\b`],
    ['sdk/python/src/dms_client/filters.py', 'filters', Object.keys(VQL_FILTERS), (name) => `^    ${name} = `],
    ['models/README.md', 'model runtimes', RUNTIMES, (row) => row],
  ])('require in %s all %s', async (file, _, names, written) => {
    const text = await readFile(join(root, file), 'utf8');
    expect(names.filter((name) => !new RegExp(written(name), 'm').test(text))).toEqual([]);
  });

  it('require file names in kebab-case', async () => {
    const odd = (await sources('src', 'bench')).filter(
      ({ path }) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.[a-z0-9-]+)*\.ts$/.test(path),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it('forbid skipped and focused tests', async () => {
    const marked = (await sources('src', 'test')).filter(({ text }) =>
      /\b(it|test|describe)\.(only|skip|todo)\(|\bx(it|describe)\(/.test(text),
    );
    expect(marked.map(({ path }) => path).filter((path) => !path.endsWith('house-rules.spec.ts'))).toEqual([]);
  });
});
