import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesFor, MEMORY_SHARES } from './memory-shares';

it('add up to at most 1', () => {
  const shares = Object.values(MEMORY_SHARES);
  expect(Math.min(...shares)).toBeGreaterThan(0);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1);
  expect(bytesFor('indexes', { exploreCacheBytes: 1000 })).toBe(250);
});

it('are the only source of memory budgets for searches', async () => {
  const modules = join(__dirname, '..');
  const files = (await readdir(modules, { recursive: true })).filter((path) => /(?<!\.spec)\.ts$/.test(path));
  const texts = await Promise.all(files.map((path) => readFile(join(modules, path), 'utf8')));
  const named = files.filter((_, at) => texts[at]!.includes('exploreCacheBytes'));
  expect(named.sort()).toEqual(['versions/memory-shares.ts']);
});
