import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { VQL } from './vql.cases';

const FILE = join(__dirname, '..', '..', 'sdk', 'python', 'tests', 'vql_cases.json');

describe('the cases of VQL', () => {
  it('equal those in the tests of the Python SDK (WRITE_VQL_CASES=1 writes them)', async () => {
    const cases = JSON.stringify(VQL.map(([filter]) => filter));
    const text = await format(cases, { parser: 'json', printWidth: 120 });
    if (process.env.WRITE_VQL_CASES === '1') await writeFile(FILE, text);
    expect(await readFile(FILE, 'utf8')).toBe(text);
  });
});
