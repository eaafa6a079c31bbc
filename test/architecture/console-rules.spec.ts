import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RETRYABLE } from '../../src/modules/tasks/domain/task';
import { stoppableOperationsOf } from '../../src/modules/tasks/operations/operation-type';

const root = join(__dirname, '..', '..');

const exportsOf = async (file: string): Promise<Record<string, unknown>> =>
  (await import(join(root, file))) as Record<string, unknown>;

describe('the tasks of the console', () => {
  it('can be aborted if users may stop them', async () => {
    const stoppable: string[] = [];
    for await (const file of glob('src/modules/**/*.job.ts', { cwd: root })) {
      const handlers = Object.values(await exportsOf(file)).filter((each) => typeof each === 'function');
      stoppable.push(...handlers.flatMap(stoppableOperationsOf).map(({ task }) => task));
    }
    const { ABORTABLE } = await exportsOf('web/src/features/tasks/task-rules.ts');
    expect([...(ABORTABLE as readonly string[])].sort()).toEqual(stoppable.sort());
  });

  it('can be retried when the service retries them', async () => {
    const rules = await exportsOf('web/src/features/tasks/task-rules.ts');
    expect(rules['RETRYABLE']).toEqual(RETRYABLE);
  });
});

it('each page of the console is in docs/console.md', async () => {
  const docs = await readFile(join(root, 'docs', 'console.md'), 'utf8');
  const paths: string[] = [];
  for await (const file of glob('web/src/features/*/pages.ts', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8');
    paths.push(
      ...Array.from(text.matchAll(/\bpath: '([^'*]+?)(?:\/\*)?'/g), ([, path]) => path!.replace(/:\w+/g, 'ID')),
    );
  }
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !docs.includes(`/${path}\``))).toEqual([]);
});
