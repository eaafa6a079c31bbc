import { glob, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const PAGES = [
  '*.md',
  '{docs,docker,engine,models,monitoring,sample,bench}/**/*.md',
  'helm/*/*.md',
  'sdk/*.md',
  'sdk/*/*.md',
];

const SOURCES = [
  '{src,test,bench,models,monitoring,helm,docs,scripts,sdk,web/src}/**/*.{ts,tsx,mjs,py,md,json,yaml}',
  '*.{md,json}',
];

const withoutCode = (page: string): string => page.replace(/^ *```.*?^ *```$/gms, '').replace(/`[^`\n]*`/g, '``');

/** Anchors as GitHub generates them. */
const anchorsOf = (page: string): string[] =>
  Array.from(page.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ (.*)$/gm), ([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('documentation pages', () => {
  it('link to existing files and headings', async () => {
    const broken: string[] = [];
    let links = 0;
    for await (const name of glob(PAGES, { cwd: root, exclude: (path) => path.includes('node_modules') })) {
      const page = await readFile(join(root, name), 'utf8');
      for (const [, target = ''] of withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        links += 1;
        const [path = '', anchor] = target.split('#', 2);
        const file = path === '' ? join(root, name) : join(root, dirname(name), path);
        const found = await stat(file).catch(() => undefined);
        const isThere =
          found !== undefined && (anchor === undefined || anchorsOf(await readFile(file, 'utf8')).includes(anchor));
        if (!isThere) broken.push(`${name}: ${target} (${relative(root, file)})`);
      }
    }
    expect(broken).toEqual([]);
    expect(links).toBeGreaterThan(50);
  });

  it('name in CONTRIBUTING files and tables that exist', async () => {
    const contributing = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
    const recipes = contributing.slice(
      contributing.indexOf('## Common changes'),
      contributing.indexOf('## Benchmarks'),
    );
    const named = new Set(
      Array.from(recipes.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|py|md|json|yaml)|[A-Z]+_[A-Z_]+)`/g), ([, name]) => name!),
    );
    const files: string[] = [];
    let code = '';
    for await (const file of glob(SOURCES, { cwd: root, exclude: (path) => path.includes('node_modules') })) {
      files.push(`/${file}`);
      if (/\.tsx?$/.test(file)) code += await readFile(join(root, file), 'utf8');
    }
    const isThere = (name: string): boolean =>
      name.includes('.') ? files.some((file) => file.endsWith(`/${name}`)) : new RegExp(`\\b${name}\\b`).test(code);
    expect([...named].filter((name) => !isThere(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(50);
  });
});
