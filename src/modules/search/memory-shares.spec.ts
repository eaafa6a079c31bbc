import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesFor, MEMORY_SHARES } from './memory-shares';

it('gives away no more than there is', () => {
  const shares = Object.values(MEMORY_SHARES);
  expect(Math.min(...shares)).toBeGreaterThan(0);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1);
  expect(bytesFor('indexes', { exploreCacheBytes: 1000 })).toBe(250);
});

it('is where every part of search gets its bytes from', async () => {
  const files = (await readdir(__dirname, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const texts = await Promise.all(files.map((path) => readFile(join(__dirname, path), 'utf8')));
  const named = files.filter((_, at) => texts[at]!.includes('exploreCacheBytes'));
  expect(named.sort()).toEqual(['memory-shares.spec.ts', 'memory-shares.ts']);
});
