import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MediaService, take } from 'dataset-media-service-sdk';
import { writeCoco, writePictures } from './pictures.mjs';
import { freePort, startService, until } from './program.mjs';

const program = join(import.meta.dirname, 'node_modules', '.bin', 'dms');
const PICTURES = 30;

describe('dms evaluate with a running service', () => {
  let service;
  let results;
  let instances;
  let paths;

  const writeResults = (resultOf) => writeCoco(service.folder, paths, resultOf);

  function dms(args, url = service.url) {
    const { PATH } = process.env;
    return new Promise((resolve) => {
      execFile(
        program,
        [...args, '--url', url],
        { env: { PATH, HOME: service.folder }, cwd: service.folder },
        (error, out, err) => resolve({ code: error === null ? 0 : error.code, out, err }),
      );
    });
  }

  /** Every picture has a cat. Those of part-2 are taken for dogs. */
  before(async () => {
    service = await startService();
    paths = await writePictures(join(service.folder, 'pictures'), PICTURES);
    ({ instances, results } = await writeResults((id) => ({ category_id: id > 20 ? 2 : 1 })));
    const dataset = await new MediaService({ url: service.url }).createDataset(
      'photos',
      join(service.folder, 'pictures'),
    );
    await dataset.waitUntilReady({ timeoutSeconds: 120 });
    const truth = new File([await readFile(instances)], 'instances.json');
    await dataset.waitFor(await dataset.importAnnotations([truth], 'people', { kind: 'truth' }));
  });
  after(() => service.stop());

  const asked = ['evaluate', 'photos', '--source', 'detector-a', '--truth', 'people'];

  it('imports a file of results, measures it, and fails by its conditions', async () => {
    const report = join(service.folder, 'report.xml');
    const { code, out, err } = await dms([
      ...[...asked, '--predictions', results, '--predictions', instances, '--json', '--junit', report],
      ...['--fail-if', 'map50<0.60', '--fail-if', 'recall<0.9', '--fail-if', 'label:cat.precision<1'],
      ...['--fail-if', 'label:bird.f1<0.1', '--fail-if', 'cost_wrong_class>0.5'],
      ...['--fail-if', 'slice:folder=part-2.f1<0.4', '--fail-if', 'slice:folder=part-0.f1<0.4'],
      ...['--fail-if', 'slice:folder=none.f1<0.4', '--fail-if', 'slice:folder=part-1.n_truth<10'],
    ]);
    assert.equal(code, 8, err);
    const { evaluation, conditions, warnings } = JSON.parse(out);
    assert.deepEqual(warnings, []);
    assert.equal(evaluation.n_predictions, PICTURES);
    const holding = conditions.filter(({ holds }) => holds).map(({ condition }) => condition);
    assert.deepEqual(holding, [
      'recall<0.9',
      'label:bird.f1<0.1',
      'slice:folder=part-2.f1<0.4',
      'slice:folder=none.f1<0.4',
    ]);
    assert.equal(conditions[1].found, 'recall is 0.6667');
    assert.equal(conditions[3].found, 'the evaluation has no such label');
    assert.match(await readFile(report, 'utf8'), /<testsuite name="photos" tests="9" failures="4"/);
  });

  it('passes, and prints what it found', async () => {
    await writeResults();
    const sent = [...asked, '--predictions', results, '--predictions', instances, '--name', 'Better'];
    const { code, out, err } = await dms([...sent, '--fail-if', 'map<1', '--fail-if', 'precision<1']);
    assert.equal(code, 0, out + err);
    assert.match(out, /^FIGURE +VALUE +95 %\nAP +1 +1 – 1\nAP50 +1 +1 – 1\n/);
    assert.match(out, /^LABEL +TRUTH +PREDICTIONS +AP +AP50 +PRECISION +RECALL +F1\ncat +30 +30 +1 +1 +1 +1 +1$/m);
    assert.match(out, /^CONDITION +RESULT +FOUND\nmap<1 +passed +ap is 1\n/m);
    const dataset = await new MediaService({ url: service.url }).findDataset('photos');
    assert.deepEqual(
      (await take(dataset.evaluations({ predictions: 'detector-a' }))).map(({ name }) => name),
      ['Better', 'detector-a'],
    );
  });

  it('measures a source that is there, of some of the pictures', async () => {
    const vql = JSON.stringify([{ folders: { op: 'one_of', value: ['part-1'] } }]);
    const options = ['--vql', vql, '--iou', '0.7', '--confidence', '0.1', '--with-truth', '--json'];
    const { code, out, err } = await dms([...asked, ...options]);
    assert.equal(code, 0, err);
    const { evaluation } = JSON.parse(out);
    assert.deepEqual([evaluation.n_pictures, evaluation.confidence, evaluation.options.iou], [10, 0.1, 0.7]);
    assert.equal(evaluation.options.pictures, 'with_truth');
    // No picture has it among its own labels.
    assert.equal((await dms([...asked, '--label', 'cat', '--json'])).code, 1);
  });

  it('measures labels of pictures, as deep as a condition asks, with further options', async () => {
    const labels = join(service.folder, 'labels.csv');
    const scores = join(service.folder, 'scores.csv');
    const others = ['cat', 'dog', 'bird'];
    await writeFile(labels, ['filename,label', ...paths.map((path) => `${path},dog`)].join('\n'));
    const scoresOf = (path) => others.map((label, at) => `${path},${label},${0.6 - at / 5}`);
    await writeFile(scores, ['filename,label,confidence', ...paths.flatMap(scoresOf)].join('\n'));
    assert.equal(
      (await dms(['annotations', 'import', 'photos', labels, '--source', 'named', '--kind', 'truth'])).code,
      0,
    );
    const named = ['evaluate', 'photos', '--task', 'classification', '--source', 'classifier', '--truth', 'named'];
    const options = ['--options', '{"labels": "single", "k": [1, 5]}'];
    const conditions = ['--fail-if', 'top_2<1', '--fail-if', 'accuracy<1'];
    const { code, out, err } = await dms([...named, '--predictions', scores, ...options, ...conditions]);
    assert.equal(code, 8, err);
    assert.match(
      out,
      /^FIGURE +VALUE +95 %\naccuracy +0 .*\nbalanced_accuracy +0 .*\ntop_1 +0 .*\ntop_2 +1 .*\ntop_5 +1 .*\n/,
    );
    assert.match(out, /^LABEL +TRUTH +PREDICTIONS +PRECISION +RECALL +F1$/m);
    assert.match(out, /^top_2<1 +passed +top_2 is 1\naccuracy<1 +holds: failed +accuracy is 0$/m);
  });

  it('says what goes on after Ctrl-C', async () => {
    const { PATH } = process.env;
    const env = { PATH, HOME: service.folder };
    const child = spawn(program, [...asked, '--name', 'Interrupted', '--url', service.url], { env });
    let err = '';
    child.stderr.on('data', (text) => (err += String(text)));
    const dataset = await new MediaService({ url: service.url }).findDataset('photos');
    const started = async () => (await take(dataset.evaluations())).find(({ name }) => name === 'Interrupted');
    const evaluation = await until(started, 'The start of the evaluation');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    // It may have ended before the signal came.
    assert.ok(code === 130 || code === 0, err);
    if (code === 130) assert.match(err, new RegExp(`"dms tasks photos" shows its task.*${evaluation.id}`));
    assert.equal((await dataset.evaluation(evaluation.id).wait()).status, 'COMPLETED');
  });

  it('deletes older evaluations', async () => {
    assert.equal((await dms([...asked, '--name', 'Newest', '--keep', '2'])).code, 0);
    const dataset = await new MediaService({ url: service.url }).findDataset('photos');
    const [newest, ...others] = await take(dataset.evaluations({ predictions: 'detector-a' }));
    assert.deepEqual([newest.name, others.length], ['Newest', 1]);
  });

  it('says what of the file was left out', async () => {
    await writeResults((id) => ({ image_id: id === 1 ? 999 : id }));
    const { code, out } = await dms([...asked, '--predictions', results, '--predictions', instances]);
    assert.equal(code, 7, out);
    assert.match(out, /results\.json, entry 1 is left out/);
  });

  it('refuses what is wrong before anything is sent', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    for (const [args, code, message] of [
      [['evaluate', 'photos'], 2, /--source NAME/],
      [[...asked, '--fail-if', 'map51<0.5'], 2, /"map51" is no figure of detection/],
      [[...asked, '--fail-if', 'accuracy<0.5'], 2, /no figure/],
      [[...asked, '--task', 'counting'], 2, /--task must be one of detection/],
      [[...asked, '--protocol', 'none'], 2, /--protocol must be one of/],
      [[...asked, '--iou', '2'], 2, /--iou must be a number/],
      [[...asked, '--keep', '0'], 2, /--keep must be a number/],
      [[...asked, '--junit', 'a.xml'], 2, /--junit needs --fail-if/],
      [[...asked, '--predictions', 'a.jsonl'], 2, /dms annotations import/],
      [[...asked, '--predictions', 'none.json'], 4, /could not be read/],
      [asked, 6, /could not be reached/],
    ]) {
      const refused = await dms(args, nowhere);
      assert.equal(refused.code, code, `${args.join(' ')}: ${refused.err}`);
      assert.match(refused.err, message);
    }
    const misfit = await dms([...asked, '--options', '{"none": 1}']);
    assert.equal(misfit.code, 2);
    assert.match(misfit.err, /options: Unrecognized key: "none"/);
    const unknown = await dms(['evaluate', 'photos', '--source', 'none', '--truth', 'people']);
    assert.notEqual(unknown.code, 0);
    assert.match(unknown.err, /none/);
  });
});
