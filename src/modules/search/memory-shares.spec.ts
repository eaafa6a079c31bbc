import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesFor, MEMORY_SHARES } from './memory-shares';

it('add up to at most 1', () => {
  const shares = Object.values(MEMORY_SHARES);
  expect(Math.min(...shares)).toBeGreaterThan(0);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1);
  expect(bytesFor('indexes', { exploreCacheBytes: 1000 })).toBe(250);
});

it('are the only source of memory budgets in search', async () => {
  const files = (await readdir(__dirname, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const texts = await Promise.all(files.map((path) => readFile(join(__dirname, path), 'utf8')));
  const named = files.filter((_, at) => texts[at]!.includes('exploreCacheBytes'));
  expect(named.sort()).toEqual(['memory-shares.spec.ts', 'memory-shares.ts']);
});
