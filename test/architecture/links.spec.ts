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
});
