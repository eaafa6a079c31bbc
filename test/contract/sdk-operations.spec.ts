import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPERATIONS } from './description-examples';

describe('the table of SDK tests', () => {
  it('has a test for every operation; `node sdk/operations.mjs` writes it after both checks', async () => {
    const table = await readFile(join(__dirname, '..', '..', 'sdk', 'OPERATIONS.md'), 'utf8');
    const rows = [...table.matchAll(/^\| `(\w+)` \| (\w+ \S+) \| (.*) \| (.*) \|$/gm)];
    expect(rows.map(([, id, route]) => `${id} ${route}`)).toEqual(
      OPERATIONS.map(({ id, method, path }) => `${id} ${method.toUpperCase()} ${path}`),
    );
    const untested = rows.filter(([, , , ...tests]) => tests.every((test) => test === ''));
    expect(untested.map(([, id]) => id)).toEqual([]);
  });
});
