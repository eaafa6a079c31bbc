import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODEL_RUNTIMES } from '../../common/engine/models/model-runtimes';
import { CONVERTERS } from './converters';
import { licenceText } from './model-card';
import { readEntries } from './model-package';

describe('the catalogue', () => {
  it('has entries whose converter, runtime, manifest and licences exist', async () => {
    for (const entry of readEntries()) {
      const { converter, manifest } = entry;
      expect(Object.keys(CONVERTERS)).toContain(converter);
      const runtime = MODEL_RUNTIMES.find(({ type, name }) => type === manifest.type && name === manifest['runtime']);
      expect(runtime?.modelOf('/models', manifest).manifest).toMatchObject({ id: manifest.id });
      await licenceText(entry);
    }
  });

  it('names the file and the reason of an invalid entry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
    try {
      await writeFile(join(folder, 'x_v00.json'), '{"purpose": "x"}');
      expect(() => readEntries(folder)).toThrow(/x_v00\.json is not a valid entry of the catalogue: .*packages/s);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
