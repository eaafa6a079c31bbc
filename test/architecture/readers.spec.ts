import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');
const register = join(root, 'scripts', 'typescript-register.cjs');

/** What ForeignFiles runs. Other files of this name are classes of the program. */
const READERS = globSync('src/**/*.reader.ts', { cwd: root }).filter((path) =>
  /^export const read(Stream)?: (File|Stream)Reader</m.test(readFileSync(join(root, path), 'utf8')),
);

const LIST = "require(process.argv[1]); console.log(Object.keys(require.cache).join('\\n'))";

describe('readers of untrusted files, each in a process of its own', () => {
  it('are found', () => expect(READERS.length).toBeGreaterThan(3));

  // Each process would otherwise load the whole program first: a second of processor time, and memory that counts towards the file.
  it.each(READERS)('%s loads neither Nest nor a database', async (path) => {
    const { stdout } = await run(process.execPath, ['--require', register, '-e', LIST, join(root, path)]);
    const loaded = stdout.trim().split('\n');
    expect(loaded).toContain(join(root, path));
    expect(loaded.filter((file) => /node_modules\/(@nestjs|typeorm|pg)\//.test(file))).toEqual([]);
  });
});
