import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaService } from 'dataset-media-service-sdk';
import { picture, vectorsFile, writeCoco, writePictures } from './pictures.mjs';
import { root, startService } from './program.mjs';

/** The commands in the section about `dms` in docs/tour.md, without comments. */
async function tour() {
  const page = await readFile(join(root, 'docs', 'tour.md'), 'utf8');
  const [, chapter] = page.split('\n## The same by `dms`\n');
  const [, block] = /^```bash\n(.*?)^```$/ms.exec(chapter);
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, ''));
}

describe('the tour of dms in docs/tour.md', () => {
  let service;

  before(async () => {
    service = await startService();
    await writeCoco(service.folder, await writePictures(join(service.folder, 'Pictures'), 6));
    await writePictures(join(service.folder, 'more'), 2, 50);
    await writeFile(join(service.folder, 'query.jpg'), picture(3));
  });
  after(() => service.stop());

  const run = (line) =>
    new Promise((resolve, reject) => {
      const { folder, url } = service;
      const bin = join(import.meta.dirname, 'node_modules', '.bin');
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder };
      const command = line.replace('http://127.0.0.1:3000', url);
      execFile('bash', ['-c', command], { cwd: folder, env, timeout: 120_000 }, (error, out, err) =>
        error === null ? resolve(out) : reject(new Error(`${line}: ${out}${err}`)),
      ).stdin.end();
    });

  it('runs every line', async () => {
    const lines = await tour();
    assert.ok(lines.length > 8);
    const ran = [];
    for (const line of lines) {
      // `watch` never ends; another test covers it.
      if (line === 'dms watch photos') continue;
      if (line.startsWith('dms vectors ')) {
        const found = JSON.parse(await run('dms search photos --limit 100 --json'));
        await writeFile(join(service.folder, 'own.npy'), vectorsFile(found.length, 8));
        await writeFile(join(service.folder, 'ids.txt'), found.map(({ media_id: id }) => `${id}\n`).join(''));
      }
      ran.push(await run(line));
    }
    assert.equal(ran.length, lines.length - 1);
    const datasets = await new MediaService({ url: service.url }).datasets();
    const known = datasets.map(({ display_name: name, n_images: images }) => `${name} ${images}`);
    assert.deepEqual(known.sort(), ['copied 6', 'photos 6']);
    assert.ok((await stat(join(service.folder, 'drop.txt'))).isFile());
  });
});
