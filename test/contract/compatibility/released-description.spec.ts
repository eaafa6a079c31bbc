import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { announcesBreaking, breakingChanges, type Description } from './operation-changes';

const ROOT = join(__dirname, '..', '..', '..');

describe('the API description', () => {
  it('breaks no client of the last release, unless its version announces it', async () => {
    const released = await readFile(join(ROOT, 'test', 'fixtures', 'released-openapi.json.gz'));
    const before = JSON.parse(gunzipSync(released).toString()) as Description;
    const after = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as Description;
    if (announcesBreaking(before.info.version, after.info.version)) return;
    expect(breakingChanges(before, after)).toEqual([]);
  });
});
