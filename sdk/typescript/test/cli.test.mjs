import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaService, SDK_VERSION, take } from 'dataset-media-service-sdk';
import { picture, vectorsFile, writePictures } from './pictures.mjs';
import { freePort, startService, until } from './program.mjs';

const program = join(import.meta.dirname, 'node_modules', '.bin', 'dms');
let home;

function environment(more = {}) {
  const { PATH } = process.env;
  return { PATH, HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_STATE_HOME: join(home, 'state'), ...more };
}

/** Runs dms, and returns its exit code and output. */
function dms(args, { input = '', env = {} } = {}) {
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: environment(env), maxBuffer: 64e6 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    );
    child.stdin.end(input);
  });
}

async function must(args, options) {
  const { code, out, err } = await dms(args, options);
  assert.equal(code, 0, `dms ${args.join(' ')}: ${out}${err}`);
  return args.includes('--json') ? JSON.parse(out) : out;
}

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'dms-home-'));
});
after(() => rm(home, { recursive: true, force: true }));

describe('dms with a running service', () => {
  let service;
  let folder;

  before(async () => {
    service = await startService();
    folder = join(service.folder, 'pictures');
    await writePictures(folder, 12);
    await writeFile(join(folder, 'small.png'), picture(3));
    await writeFile(join(folder, 'part-0', 'notes.xyz'), 'no picture');
  });
  after(() => service.stop());

  it('saves the address of a service that needs no sign-in', async () => {
    assert.match(await must(['login', '--url', service.url]), /needs no sign-in/);
    assert.equal((await stat(join(home, 'config', 'dms', 'config.json'))).mode & 0o777, 0o600);
    assert.match(await must(['datasets']), /^NAME +STATUS/);
    const { ok, checks } = await must(['doctor', '--json']);
    assert.equal(ok, true, JSON.stringify(checks));
  });

  it('uploads a folder and lists the refused files', async () => {
    const { code, out } = await dms(['upload', folder, '--dataset', 'photos', '--json']);
    assert.equal(code, 7);
    const { files, refused } = JSON.parse(out);
    assert.equal(files, 13);
    assert.deepEqual(refused, [{ path: 'part-0/notes.xyz', reason: 'Unsupported file format: part-0/notes.xyz' }]);
    const [dataset] = await must(['datasets', '--json']);
    assert.deepEqual([dataset.display_name, dataset.status_new, dataset.n_images], ['photos', 'READY', 13]);
  });

  it('searches by text, labels and filters', async () => {
    const all = await must(['search', 'photos', '--limit', '100', '--json']);
    assert.equal(all.length, 13);
    const [nearest] = await must(['search', 'photos', '--image', join(folder, 'small.png'), '--limit', '1', '--json']);
    assert.ok(nearest.relevance_score < 0.001);
    assert.match(await must(['search', 'photos', '--vql', '[{"width":{"op":"gt","value":5}}]']), /^FILE +DISTANCE/);
  });

  it('lists review queues, and shows how far one is', async () => {
    const photos = await new MediaService({ url: service.url }).findDataset('photos');
    const queue = await photos.makeReviewQueue({ name: 'Doubtful', query: { limit: 1 }, question: { type: 'labels' } });
    assert.match(await must(['review', 'photos']), /^NAME +QUESTION +ITEMS +LEFT.*\nDoubtful +labels +1 +1/);
    assert.equal((await must(['review', 'photos', 'Doubtful', '--json'])).states.open, 1);
    assert.match(await must(['review', 'photos', queue.id]), /^STATE +ITEMS\nopen +1/);
    assert.equal((await dms(['review', 'photos', 'Clear'])).code, 4);
  });

  it('chooses which duplicates to keep', async () => {
    const list = join(home, 'drop.txt');
    const groups = await must([
      'duplicates',
      'photos',
      '--similarity',
      '1',
      '--keep',
      'largest',
      '--output',
      list,
      '--tag',
      'drop',
      '--json',
    ]);
    assert.deepEqual(
      groups.map(({ kept, dropped }) => [kept.original_uri, dropped.length]),
      [['part-0/0003.png', 1]],
    );
    assert.equal(await readFile(list, 'utf8'), `${groups[0].dropped[0].original_uri}\n`);
  });

  it('counts media by facet', async () => {
    const facets = await must(['facets', 'photos', '--json']);
    assert.equal(facets.total, 13);
    assert.ok(facets.folders.some(({ value }) => value === 'part-0'));
    const table = await must(['facets', 'photos', '--vql', '[{"folders":{"op":"one_of","value":["part-0"]}}]']);
    assert.match(table, /^FACET +VALUE +MEDIA\ntype +image +\d+\n/);
    for (const { value, count } of facets.folders) assert.match(table, new RegExp(`^folder +${value} +${count}$`, 'm'));
    const searched = await must(['facets', 'photos', '--search', 'DRO']);
    assert.equal(searched.trim(), ['FACET  VALUE  MEDIA', 'tag    drop       1'].join('\n'));
    assert.equal((await dms(['facets', 'photos', '--vql', '{}'])).code, 2);
  });

  it('lists, renames and deletes tags, and renames the dataset', async () => {
    const names = async () => (await must(['tags', 'photos', '--json'])).map(({ name }) => name);
    assert.deepEqual(await names(), ['drop']);
    await must(['tags', 'photos', 'drop', '--rename', 'dropped']);
    assert.match(await must(['tags', 'photos']), /dropped +1 /);
    assert.equal((await dms(['tags', 'photos', '--delete'])).code, 2);
    assert.equal((await dms(['tags', 'photos', 'drop', '--delete'])).code, 4);
    await must(['tags', 'photos', 'dropped', '--delete']);
    assert.deepEqual(await names(), []);
    assert.match(
      await must(['rename', 'photos', 'pictures', '--description', 'all of them']),
      /is now called pictures/,
    );
    assert.equal((await must(['rename', 'pictures', 'photos', '--json'])).description, 'all of them');
  });

  it('copies and removes media', async () => {
    const list = join(home, 'ids.txt');
    const named = (text) => JSON.stringify([{ files: { op: 'contains', value: text } }]);
    const found = await must(['search', 'photos', '--vql', named('000'), '--json']);
    const [first, second] = found.map((each) => each.media_id);
    await writeFile(list, `${first}\n${second}\n`);
    assert.equal((await must(['copy', 'photos', 'two', '--ids', list, '--json'])).n_images, 2);
    assert.match(
      await must(['copy', 'photos', 'rest', '--without', '--vql', named('small')]),
      /^rest is READY with 12 images/,
    );
    assert.match(await must(['remove', 'rest', '--ids', list]), /^MEDIA_REMOVAL of rest is COMPLETED\./);
    assert.equal((await dms(['remove', 'rest'])).code, 2);
    for (const name of ['two', 'rest']) await must(['delete', name, '--yes']);
  });

  it('leaves out groups that may have different pictures, except with --doubtful', async () => {
    const found = new MediaService({ url: service.url });
    const clusters = await take(
      (await found.findDataset('photos')).search({ duplicate_threshold: 0.8, entity_type: 'IMAGES' }),
    );
    const ask = ['duplicates', 'photos', '--similarity', '0.8', '--json'];
    assert.equal((await must(ask)).length, clusters.filter(({ doubt }) => doubt === null).length);
    assert.equal((await must([...ask, '--doubtful'])).length, clusters.length);
  });

  it('annotates media from CSV and JSON files', async () => {
    const csv = join(home, 'labels.csv');
    const rows = [
      '\ufefffile_name,label,caption,note',
      'part-0/0001.png,boat,"A boat, ""red""\nand blue",x',
      'part-0/0001.png,red,,',
      '',
      'part-0/0002.png,car,,',
    ];
    await writeFile(csv, rows.join('\r\n'));
    assert.match(await must(['annotate', csv, '--dataset', 'photos']), /^2 annotations are done in one task\./);
    const found = async (name) => {
      const [{ labels, caption }] = await must(['search', 'photos', '--vql', vqlOf(name), '--json']);
      return [Object.keys(labels ?? {}).sort(), caption];
    };
    const vqlOf = (name) => JSON.stringify([{ files: { op: 'one_of', value: [name] } }]);
    assert.deepEqual(await found('0001.png'), [['boat', 'red'], 'A boat, "red"\nand blue']);
    assert.deepEqual(await found('0002.png'), [['car'], null]);
    const words = JSON.stringify([{ text: { op: 'fts', value: 'blue boats' } }]);
    assert.match(
      await must(['search', 'photos', '--vql', words]),
      /^FILE +DISTANCE +WORDS IN .*\n.*0001\.png +caption /,
    );

    const json = join(home, 'labels.json');
    const annotations = [
      { file_name: 'part-0/0001.png', labels: ['ship'], caption: null },
      { file_name: 'nowhere.png', label: 'car' },
    ];
    await writeFile(json, JSON.stringify({ annotations }));
    const { code, out } = await dms(['annotate', json, '--dataset', 'photos', '--mode', 'replace', '--json']);
    assert.equal(code, 7, out);
    assert.match(JSON.parse(out).warnings[0], /1 of 2 annotations .*nowhere\.png/);
    assert.deepEqual(await found('0001.png'), [['ship'], null]);

    for (const [name, text, reason] of [
      ['a.csv', 'label\nboat', /line 2 has neither media_id nor file_name/],
      ['b.csv', 'file_name,label\na.png,"boat', /line 2 has a quotation mark/],
      ['c.json', '{"a": 1}', /neither a list/],
      ['d.jsonl', '{"file_name": "a.png"}', /line 1 has neither labels nor a caption/],
      ['e.json', '[{"file_name": "a.png", "labels": {}}]', /annotation 1 has labels that are neither/],
    ]) {
      await writeFile(join(home, name), text);
      const { code: failed, err } = await dms(['annotate', join(home, name), '--dataset', 'photos']);
      assert.equal(failed, 2);
      assert.match(err, reason);
    }
    assert.equal((await dms(['annotate', join(home, 'none.csv'), '--dataset', 'photos'])).code, 4);
  });

  it('imports and exports the annotations of sources', async () => {
    const [name, other] = ['part-0/0001.png', 'part-0/0002.png'];
    const shape = { type: 'polygon', rings: [[0, 0, 9, 0, 9, 9]] };
    const given = [
      { file_name: name, id: 'a', label: 'boat', shape, confidence: 0.1 + 0.2, attributes: { occluded: true } },
      { file_name: name, label: 'harbour' },
      { file_name: 'gone.jpg', label: 'harbour' },
      { file_name: other, label: 'harbour', crowd: true, track_id: '7' },
    ];
    const file = join(home, 'said.jsonl');
    await writeFile(file, `${given.map((each) => JSON.stringify(each)).join('\n')}\n`);
    const start = ['annotations', 'import', 'photos', file, '--source', 'detector-a'];
    const first = await dms(start);
    assert.equal(first.code, 7, first.err);
    assert.match(first.out, /^3 added, 0 changed, 0 removed\.\n1 annotations are .*\nline 3: gone\.jpg$/m);
    const again = await dms([...start, '--json']);
    assert.deepEqual(JSON.parse(again.out), {
      ...{ added: 0, changed: 3, removed: 0, unmatched: 1 },
      unmatched_lines: ['line 3: gone.jpg'],
    });
    assert.match(
      await must(['annotations', 'sources', 'photos']),
      /^NAME +KIND +LABELS +BOXES +POLYGONS[^]*^detector-a +predictions +2 +0 +1 /m,
    );
    const output = join(home, 'out.jsonl');
    await must(['annotations', 'export', 'photos', '--source', 'detector-a', '-o', output]);
    const lines = (await readFile(output, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 3);
    assert.deepEqual(
      lines.find(({ id }) => id === 'a'),
      given[0],
    );
    const exported = ['annotations', 'export', 'photos', '--source', 'detector-a', '--label', 'boat'];
    assert.deepEqual(JSON.parse(await must(exported)), given[0]);
    await must(['annotations', 'import', 'photos', output, '--source', 'copy', '--kind', 'truth']);
    await must(['annotations', 'import', 'photos', output, '--source', 'copy', '--mode', 'delete']);
    const [change] = await must(['annotations', 'history', 'photos', '--source', 'copy', '--json']);
    assert.deepEqual([change.mode, change.removed], ['delete', 3]);
    assert.match(await must(['annotations', 'undo', 'photos', change.change_id]), /^3 added, 0 changed, 0 removed\. /);
    assert.match(
      await must(['annotations', 'history', 'photos', '--limit', '2']),
      /^TIME +BY +SOURCE[^]*\n\S+ +\S+ +copy +undo +3 +0 +0 +2 +\S+\n\S+ +\S+ +copy +delete +0 +0 +3 +2 +yes +\S+\n$/,
    );
    assert.equal((await dms(['annotations', 'undo', 'photos', change.change_id])).code, 5);
    const coco = {
      images: [{ id: 1, file_name: name, width: 64, height: 64 }],
      categories: [{ id: 2, name: 'buoy' }],
      annotations: [{ id: 3, image_id: 1, category_id: 2, bbox: [1, 2, 3, 4], score: 0.75 }],
    };
    const foreign = join(home, 'found.json');
    await writeFile(foreign, JSON.stringify(coco));
    const sent = ['annotations', 'import', 'photos', foreign, '--source', 'detector-b', '--format', 'coco'];
    assert.match(
      await must([...sent, '--preview']),
      /^1 annotations of 1 pictures, in the format coco:\n[^]*buoy +box +0\.75 +yes/,
    );
    const previewed = await must([...sent, '--preview', '--json']);
    assert.deepEqual([previewed.annotations, previewed.faults], [1, []]);
    assert.equal((await dms([...start, '--preview'])).code, 2);
    assert.match(await must(sent), /^The file is done\./);
    const buoy = JSON.parse(await must(['annotations', 'export', 'photos', '--source', 'detector-b']));
    assert.deepEqual(buoy.shape, { type: 'box', x: 1, y: 2, width: 3, height: 4 });
    const made = ['annotations', 'objects', 'photos', '--source', 'detector-b'];
    assert.match(await must(made), /^The objects are made\./);
    assert.equal((await dms(['annotations', 'objects', 'photos', '--source', 'none'])).code, 4);
    assert.equal((await dms([...sent.slice(0, 4), '--source', 'x', '--unit', 'pixels'])).code, 2);
    for (const [name, text, message] of [
      ['broken.jsonl', '{}\n{', /line 2 is not JSON/],
      ['list.jsonl', '[]', /line 1 is not an object/],
      ['empty.jsonl', '', /has no annotations/],
    ]) {
      const path = join(home, name);
      await writeFile(path, text);
      const { code, err } = await dms(['annotations', 'import', 'photos', path, '--source', 'x']);
      assert.equal(code, 2, err);
      assert.match(err, message);
    }
    await writeFile(file, '{"file_name": "a.jpg", "label": 5}');
    const refused = await dms(start);
    assert.equal(refused.code, 2, refused.err);
    assert.match(refused.err, /lines 1 to 1: .*label/);
    for (const wrong of [
      ...[['none', 'photos'], ['export', 'photos'], ['sources'], ['import', 'photos', '--source', 'a']],
      ...[
        ['undo', 'photos'],
        ['history', 'photos', 'x'],
        ['history', 'photos', '--limit', '0'],
      ],
    ])
      assert.equal((await dms(['annotations', ...wrong])).code, 2, wrong.join(' '));
    assert.equal((await dms(['annotations', 'import', 'photos', join(home, 'none.jsonl'), '--source', 'x'])).code, 4);
  });

  it('annotates with annotation files, and replaces vectors', async () => {
    await must(['create', 'vectors', folder]);
    const boxes = join(home, 'object_annotations.csv');
    await writeFile(boxes, 'filename,col_x,row_y,width,height,label\nsmall.png,1,1,4,4,hull\n');
    assert.match(await must(['annotate', boxes, '--dataset', 'vectors', '--as-file']), /^The file is done\./);
    const [made] = (await must(['datasets', '--json'])).filter(({ display_name: name }) => name === 'vectors');
    assert.equal(made.n_objects, 1);
    await writeFile(boxes, 'filename,col_x,row_y,width,height,label\nnowhere.png,1,1,4,4,hull\n');
    assert.equal((await dms(['annotate', boxes, '--dataset', 'vectors', '--as-file'])).code, 7);

    const found = await must(['search', 'vectors', '--limit', '100', '--json']);
    const [file, list] = [join(home, 'own.npy'), join(home, 'ids.txt')];
    await writeFile(file, vectorsFile(found.length, 8));
    await writeFile(list, found.map(({ media_id: id }) => `${id}\n`).join(''));
    const give = ['vectors', file, '--dataset', 'vectors', '--id', 'own'];
    const ladder = ['--ladder', '1,0.9,0.8,0.7,0.6'];
    const refused = await dms([...give, '--media-ids', list, ...ladder]);
    assert.deepEqual([refused.code, /1 of 14 media have no vector/.test(refused.err)], [1, true], refused.err);
    const given = await dms([...give, '--media-ids', list, ...ladder, '--allow-missing']);
    assert.equal(given.code, 7, given.err);
    assert.match(given.out, /^The image vectors are now "own"\.\n1 of 14 media have no vector/);
    assert.equal((await dms([...give, '--media-ids', list, '--names', list])).code, 2);
    assert.equal((await dms([...give, '--media-ids', list, '--ladder', '1,,2'])).code, 2);
    assert.equal((await dms([...give, '--media-ids', join(home, 'none.txt')])).code, 4);
    await must(['delete', 'vectors', '--yes']);
  });

  it('adds media and restores a snapshot', async () => {
    await must(['snapshot', 'photos', '--name', 'before']);
    const added = join(home, 'added.png');
    await writeFile(added, picture(700));
    const more = join(home, 'more');
    await writePictures(more, 2, 800);
    assert.match(await must(['add', 'photos', added]), /MEDIA_ADDITION of photos is COMPLETED/);
    assert.equal((await must(['add', 'photos', more, '--json'])).files, 2);
    assert.equal((await must(['datasets', '--json']))[0].n_images, 16);
    await must(['restore', 'photos', 'before']);
    assert.equal((await must(['datasets', '--json']))[0].n_images, 13);
    await must(['clone', 'photos', 'before']);
    assert.equal((await must(['datasets', '--json'])).length, 2);
    assert.match(await must(['snapshot', 'photos', '--list']), /before/);
    assert.match(await must(['tasks', 'photos']), /SNAPSHOT_RESTORE +COMPLETED/);
  });

  it('creates a dataset from a folder of the service, exports and deletes it', async () => {
    const listed = await must(['folders', dirname(folder), '--json']);
    assert.ok(listed.some(({ path }) => path === folder));
    assert.equal((await dms(['folders', '/'])).code, 3);
    await must(['create', 'created', folder]);
    const file = join(home, 'out.zip');
    const { bytes } = await must(['export', 'created', '--format', 'coco', '--output', file, '--json']);
    assert.equal((await stat(file)).size, bytes);
    assert.equal((await dms(['delete', 'created'])).code, 2);
    await must(['delete', 'created', '--yes']);
    assert.equal((await dms(['search', 'created'])).code, 4);
  });

  it('prints notifications as they arrive', async () => {
    const child = spawn(program, ['watch', 'photos', '--count', '1', '--json'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => (out += String(text)));
    child.stderr.on('data', (text) => (err += String(text)));
    const ended = once(child, 'exit');
    await until(() => err.includes('Watching'), 'The start of dms watch');
    const [{ id }] = (await must(['datasets', '--json'])).filter(({ display_name: name }) => name === 'photos');
    const form = new FormData();
    form.set('name', 'everything');
    await fetch(`${service.url}/api/v1/dataset/${id}/views?entity_type=IMAGES`, { method: 'POST', body: form });
    const added = join(home, 'watched.png');
    await writeFile(added, picture(900));
    await must(['add', 'photos', added]);
    assert.deepEqual(await ended, [0, null]);
    assert.equal(JSON.parse(out).dataset_id, id);
  });

  it('exits with a code for each kind of failure', async () => {
    assert.equal((await dms([])).code, 2);
    assert.equal((await dms(['nothing'])).code, 2);
    assert.equal((await dms(['upload', folder])).code, 2);
    assert.equal((await dms(['search', 'photos', '--limit', 'many'])).code, 2);
    assert.equal((await dms(['search', 'photos', '--bad'])).code, 2);
    assert.equal((await dms(['tasks', 'no such dataset'])).code, 4);
    assert.equal((await dms(['restore', 'photos', 'no such snapshot'])).code, 4);
    const { code, err } = await dms(['delete', 'photos', '--yes', '--url', `http://127.0.0.1:${await freePort()}`]);
    assert.equal(code, 6);
    assert.match(err, /could not be reached/);
  });

  it('prints help and shell completion', async () => {
    const help = await must(['--help']);
    const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    assert.equal(commands.length, 28);
    for (const name of commands) assert.match(await must([name, '--help']), new RegExp(`^Usage: dms ${name}`));
    assert.equal((await must(['--version'])).trim(), SDK_VERSION);
    const script = join(home, 'completion.bash');
    await writeFile(script, await must(['completion', 'bash']));
    const completed = (...words) =>
      new Promise((resolve, reject) => {
        const asked = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dms; printf '%s\\n' "\${COMPREPLY[@]}"`;
        const args = ['-c', asked, 'bash', program, ...words];
        execFile('bash', args, { env: environment() }, (error, stdout) =>
          error ? reject(error) : resolve(stdout.trim()),
        );
      });
    assert.equal(await completed('up'), 'upload');
    const odd = 'two words; $(touch oops)';
    const service = new MediaService({
      url: JSON.parse(await readFile(join(home, 'config', 'dms', 'config.json'))).url,
    });
    const draft = await service.createDraft(odd);
    assert.equal(await completed('search', 'two'), String.raw`two\ words\;\ \$\(touch\ oops\)`);
    assert.equal(await completed('upload', 'x', '--dataset', 'two'), String.raw`two\ words\;\ \$\(touch\ oops\)`);
    assert.equal(await completed('upload', 'two'), '');
    assert.equal(await completed('search', '--im'), '--image');
    await draft.delete();
  });
});

describe('dms with a service that requires sign-in', () => {
  let server;
  let url;
  let version = SDK_VERSION;
  const seen = [];

  before(async () => {
    server = createServer((request, response) => {
      const { authorization } = request.headers;
      seen.push(authorization);
      const isIn =
        authorization !== undefined &&
        JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url').toString()).sub === 'good';
      response.writeHead(isIn ? 200 : 401, { 'content-type': 'application/json', 'x-dms-version': version });
      response.end(JSON.stringify(isIn ? [] : { detail: 'Sign in' }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('saves a key only if the service accepts it', async () => {
    assert.equal((await dms(['logout'])).code, 0);
    assert.equal((await dms(['login', '--url', url], { input: 'bad\nsecret\n' })).code, 3);
    assert.equal((await dms(['datasets', '--url', url])).code, 3);
    assert.equal((await dms(['login', '--url', url], { input: 'good\nsecret\n' })).code, 0);
    const file = join(home, 'config', 'dms', 'config.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { url, api_key: 'good', api_secret: 'secret' });
    await must(['datasets']);
  });

  it('warns of a different version of the service', async () => {
    version = '7.3.0';
    const { code, err } = await dms(['datasets']);
    version = SDK_VERSION;
    assert.equal(code, 0);
    assert.match(err, /^dms: The service has version 7\.3\.0, and this SDK [\d.]+: some calls may fail\./);
  });

  it('sends the key only to the service that it belongs to', async () => {
    const { port } = server.address();
    seen.length = 0;
    assert.equal((await dms(['datasets', '--url', `http://localhost:${port}`])).code, 3);
    assert.deepEqual(seen, [undefined]);
    assert.equal(
      (await dms(['datasets'], { env: { DMS_URL: url, DMS_API_KEY: 'good', DMS_API_SECRET: 's' } })).code,
      0,
    );
    await must(['logout']);
    assert.equal((await dms(['datasets', '--url', url])).code, 3);
  });
});
