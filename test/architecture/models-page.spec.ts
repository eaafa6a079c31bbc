import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCatalogue } from '../../src/modules/enrichment/model-list';
import { MODEL_RUNTIMES } from '../../src/common/engine/models/model-runtimes';

interface Example {
  readonly id: string;
  readonly type: string;
  readonly runtime: string;
}

/** The manifests in a page, at any indentation. */
const examplesIn = (page: string): Example[] =>
  Array.from(page.matchAll(/^( *)\{\n\1 {2}"id"[^]*?\n\1\}$/gm), ([text]) => JSON.parse(text) as Example);

describe('docs/models.md', () => {
  it('has an example of each runtime for additional models, and only valid manifests', async () => {
    const examples = examplesIn(await readFile(join(__dirname, '..', '..', 'docs', 'models.md'), 'utf8'));
    for (const example of examples) {
      const named = MODEL_RUNTIMES.find(({ type, name }) => type === example.type && name === example.runtime);
      expect(named?.modelOf('/models', example).manifest).toMatchObject(example);
    }
    const shown = new Set(examples.map(({ runtime }) => runtime));
    const runtimes = MODEL_RUNTIMES.filter(({ name }) => name !== 'hashed-words');
    expect(runtimes.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it('lists the origin and the runtime of each model in the catalogue', async () => {
    const page = await readFile(join(__dirname, '..', '..', 'docs', 'models.md'), 'utf8');
    for (const { id, type } of readCatalogue()) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${id}\` | \`${type}\` | `));
      const runtime = row?.split('|')[3]?.replaceAll('`', '').trim();
      const known = MODEL_RUNTIMES.find((each) => each.type === type && each.name === runtime);
      expect({ id, runtime: known?.name }).toEqual({ id, runtime: runtime ?? 'a row of its own' });
    }
  });
});
