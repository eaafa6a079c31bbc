import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULTS, StubModelServer, type StubOptions } from '../../../../../test/support/stub-model-server';
import { ModelServerError, ModelServerOutageError } from '../servers/model-server-errors';
import {
  describeRemoteRuntime,
  never,
  openAtStub,
  PICTURE,
  type RuntimeUnderTest,
} from '../servers/remote-runtime.contract';
import { describeTextSide } from '../servers/text-side.contract';
import { KSERVE_RUNTIMES } from './kserve.runtime';

const kserve: RuntimeUnderTest = {
  runtimes: KSERVE_RUNTIMES,
  serverFields: (url) => ({ url }),
  fieldsOf(type) {
    if (type === 'MULTIMODEL_IMAGE_ENCODING') return { outputs: { dimension: 2 } };
    const isLabelled = type === 'IMAGE_TAGGING' || type === 'OBJECT_DETECTION';
    return isLabelled ? { outputs: { labels: 'labels' } } : {};
  },
};

describeRemoteRuntime('kserve', kserve);
describeTextSide('kserve', kserve);

describe('kserve', () => {
  let stub: StubModelServer;
  let folder: string;
  const open = openAtStub(kserve, () => folder);
  const start = async (options: StubOptions = {}): Promise<void> => {
    stub = await StubModelServer.start(options);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'served-'));
    await writeFile(join(folder, 'labels.txt'), 'cat\ndog\n\nbird\n\n');
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => stub.close());

  it.each([
    ['base64', false, { datatype: 'BYTES', shape: [1], data: [Buffer.from(PICTURE.jpeg).toString('base64')] }],
    ['base64', true, { datatype: 'BYTES', shape: [1, 1], data: [Buffer.from(PICTURE.jpeg).toString('base64')] }],
    ['bytes', false, { datatype: 'BYTES', shape: [1], parameters: { binary_data_size: 1003 } }],
    ['uint8', true, { datatype: 'UINT8', shape: [1, 999], parameters: { binary_data_size: 999 } }],
  ])('sends the picture as %s, batched: %s', async (form, batched, tensor) => {
    await start();
    const model = await open('CAPTION_IMAGES', stub, { input: { name: 'IN', form, batched } });
    await model.apply(PICTURE, {}, never);
    expect(stub.last?.picture).toEqual(Buffer.from(PICTURE.jpeg));
    expect(stub.last?.fields).toEqual({ inputs: [{ name: 'IN', ...tensor }], outputs: [{ name: 'caption' }] });
  });

  it('names the model and its version in the path', async () => {
    await start();
    await (await open('CAPTION_IMAGES', stub, { model: 'a b', version: '3' })).apply(PICTURE, {}, never);
    expect(stub.last?.path).toBe('/v2/models/a%20b/versions/3/infer');
  });

  it('sends the prompt to the configured input', async () => {
    await start();
    const model = await open('CAPTION_IMAGES', stub, { promptInput: 'prompt', prompt: 'Of the manifest.' });
    await model.apply(PICTURE, {}, never);
    expect(stub.last?.prompt).toBe('Of the manifest.');
    await model.apply(PICTURE, { prompt: 'Of the request.' }, never);
    expect(stub.last?.prompt).toBe('Of the request.');
  });

  it('sends texts to their input, at the model for texts if there is one', async () => {
    await start();
    const input = { batched: true };
    await (await open('MULTIMODEL_IMAGE_ENCODING', stub, { input, version: '3' })).embedTexts(['a red car'], never);
    expect(stub.last).toMatchObject({
      path: '/v2/models/stub/versions/3/infer',
      fields: {
        inputs: [{ name: 'text', datatype: 'BYTES', shape: [1, 1], data: ['a red car'] }],
        outputs: [{ name: 'embedding' }],
      },
    });
    stub.fail(FAULTS.json({ outputs: [{ name: 'vector', data: [[0, 2]] }] }));
    const texts = { model: 'clip text', input: 'caption', output: 'vector' };
    const own = await open('MULTIMODEL_IMAGE_ENCODING', stub, { texts, version: '3' });
    expect(await own.embedTexts(['a red car'], never)).toEqual([Float32Array.of(0, 1)]);
  });

  it('fails permanently if the model is not ready, and checks again on the next request', async () => {
    await start({ model: 'other' });
    const model = await open('CAPTION_IMAGES', stub);
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(ModelServerError);
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(
      /refused the model stub with 400\. Check "server\.url"/,
    );
    expect(stub.requests).toBe(0);
    stub.fail(FAULTS.status(503));
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(ModelServerOutageError);
    stub.fail(FAULTS.json({ outputs: [{ name: 'caption', data: [['found']] }] }));
    expect(await model.apply(PICTURE, {}, never)).toEqual({ caption: 'found' });
  });

  it('names classes by the file of labels', async () => {
    await start({
      labels: () => [
        { label: '1', confidence: 0.9 },
        { label: '2', confidence: 0.9 },
        { label: '7', confidence: 0.9 },
        { label: '-1', confidence: 0.9 },
        { label: '3', confidence: 0.4 },
        { label: '0', confidence: 0.2 },
      ],
      objects: () => [{ label: '3', confidence: 0.7, box: [20, 20, 100, 60] }],
    });
    const fields = { files: { labels: 'labels.txt' }, outputs: { classes: 'classes' } };
    expect(await (await open('IMAGE_TAGGING', stub, {}, fields)).apply(PICTURE, {}, never)).toEqual({
      labels: [
        { label: 'dog', confidence: 0.9 },
        { label: 'bird', confidence: 0.4 },
      ],
    });
    const near = (value: number): unknown => expect.closeTo(value, 6);
    const boxes = { unit: 'pixels', form: 'sizes' };
    expect(await (await open('OBJECT_DETECTION', stub, {}, { ...fields, boxes })).apply(PICTURE, {}, never)).toEqual({
      objects: [
        {
          label: 'bird',
          confidence: 0.7,
          box: { x: 0.1, y: 0.2, width: near(0.5), height: near(0.6) },
        },
      ],
    });
  });

  it('names scores by their position in the file of labels', async () => {
    const scores = [0.1, 0.8, 0.9, 0.5];
    await start({ labels: () => scores.map((confidence) => ({ label: '', confidence })) });
    const model = await open(
      'IMAGE_TAGGING',
      stub,
      {},
      { files: { labels: 'labels.txt' }, outputs: {}, minConfidence: 0.6 },
    );
    expect(await model.apply(PICTURE, {}, never)).toEqual({ labels: [{ label: 'dog', confidence: 0.8 }] });
    scores.push(0.3);
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(
      /returned 5 scores, but the file of labels has 4 lines\. Correct "files\.labels" in the manifest of served\.$/,
    );
  });

  it.each([
    [{ outputs: [{ name: 'labels', data: ['a'] }] }, /has no output "scores"/],
    [
      {
        outputs: [
          { name: 'labels', data: ['a'] },
          { name: 'scores', data: ['b'] },
        ],
      },
      /other values than numbers/,
    ],
    [
      {
        outputs: [
          { name: 'labels', data: ['a'] },
          { name: 'scores', data: [1, 1] },
        ],
      },
      /2 scores for 1 labels/,
    ],
  ])('refuses the picture after %p', async (answer, sentence) => {
    await start();
    const model = await open('IMAGE_TAGGING', stub);
    await model.apply(PICTURE, {}, never);
    stub.fail(FAULTS.json(answer));
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(sentence);
  });

  it('refuses the picture if boxes are missing', async () => {
    await start();
    const model = await open('OBJECT_DETECTION', stub);
    await model.apply(PICTURE, {}, never);
    const outputs = [
      { name: 'labels', data: ['a'] },
      { name: 'scores', data: [1] },
      { name: 'boxes', data: [[0, 0, 1]] },
    ];
    stub.fail(FAULTS.json({ outputs }));
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(/has 0.75 boxes for 1 scores/);
  });

  it.each([{}, { classes: 'classes' }, { labels: 'labels', classes: 'classes' }])(
    'refuses a manifest with the outputs %p and no file of labels',
    async (outputs) => {
      await start();
      await expect(open('IMAGE_TAGGING', stub, {}, { outputs })).rejects.toThrow(/must name either/);
    },
  );
});
