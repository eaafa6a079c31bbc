import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure } from '../../../../../test/support/failure';
import { FAULTS, StubModelServer, type Fault, type StubOptions } from '../../../../../test/support/stub-model-server';
import { waitUntil } from '../../../../../test/support/wait-until';
import { isUnrecoverable, outageOf } from '../../../platform/outage/outage';
import type { ModelRuntime } from '../model-runtime';
import { PictureRefusedError, type PictureModelType, type RemotePictureModel, type TextSide } from '../picture-model';
import { ModelServerError, ModelServerOutageError } from './model-server-errors';

export const PICTURE = { jpeg: Uint8Array.from({ length: 999 }, (_, at) => at * 7), width: 200, height: 100 };

type Opened<Type extends PictureModelType> = RemotePictureModel<Type> &
  (Type extends 'MULTIMODEL_IMAGE_ENCODING' ? TextSide : unknown);

/** Opens a model that uses a stub server. */
export interface OpenAtStub {
  <Type extends PictureModelType>(
    type: Type,
    stub: StubModelServer,
    server?: object,
    fields?: object,
  ): Promise<Opened<Type>>;
}

/** Runtime-specific fields of a manifest, with boxes as fractions. */
export interface RuntimeUnderTest {
  readonly runtimes: readonly ModelRuntime[];
  readonly serverFields: (url: string, type: PictureModelType) => object;
  readonly fieldsOf: (type: PictureModelType) => object;
}

export function openAtStub({ runtimes, serverFields, fieldsOf }: RuntimeUnderTest, folder: () => string): OpenAtStub {
  return async (type, stub, server = {}, fields = {}) => {
    const runtime = runtimes.find((each) => each.type === type)!;
    const model = runtime.modelOf(folder(), {
      id: 'served',
      name: 'Served',
      type,
      runtime: runtime.name,
      description: 'At a stub.',
      licence: 'none',
      ...fieldsOf(type),
      ...fields,
      server: { model: 'stub', retries: 2, retryMs: 2, timeoutMs: 20_000, ...serverFields(stub.url, type), ...server },
    });
    return (await model.open()) as never;
  };
}

export const never = new AbortController().signal;

/** The contract of every runtime with a server. */
export function describeRemoteRuntime(name: string, runtime: RuntimeUnderTest): void {
  describe(`${name} as a remote runtime`, () => {
    let folder: string;
    let stub: StubModelServer;
    const open = openAtStub(runtime, () => folder);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'served-'));
    });
    afterAll(() => rm(folder, { recursive: true }));
    afterEach(() => stub.close());

    const start = async (options: StubOptions = {}): Promise<void> => {
      stub = await StubModelServer.start(options);
    };
    /** A model with a successful request, so that its server is known to work. */
    const captioner = async (server: object = {}): Promise<() => Promise<string>> => {
      const model = await open('CAPTION_IMAGES', stub, server);
      const caption = async (): Promise<string> => (await model.apply(PICTURE, {}, never)).caption;
      await caption();
      stub.requests = 0;
      return caption;
    };

    it('returns the findings of each type of model', async () => {
      await start({
        caption: () => ' A dog\n on a lawn. ',
        labels: () => [
          { label: 'lawn', confidence: 0.5 },
          { label: ' dog ', confidence: 0.9 },
        ],
        objects: () => [{ label: 'dog', confidence: 0.75, box: [0.25, 0.5, 0.75, 1] }],
        embedding: () => [3, 4],
      });
      const found = async (type: PictureModelType) => (await open(type, stub)).apply(PICTURE, {}, never);
      expect(await found('CAPTION_IMAGES')).toEqual({ caption: 'A dog on a lawn.' });
      expect(await found('CAPTION_OBJECTS')).toEqual({ caption: 'A dog on a lawn.' });
      expect(await found('IMAGE_TAGGING')).toEqual({
        labels: [
          { label: 'dog', confidence: 0.9 },
          { label: 'lawn', confidence: 0.5 },
        ],
      });
      const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.5 };
      expect(await found('OBJECT_DETECTION')).toEqual({ objects: [{ label: 'dog', confidence: 0.75, box }] });
      expect(await found('MULTIMODEL_IMAGE_ENCODING')).toEqual({ embedding: Float32Array.of(0.6, 0.8) });
    });

    it('sends the picture and the key', async () => {
      await start({ apiKey: 'sk-right' });
      await writeFile(join(folder, 'key'), 'sk-right\n');
      await (
        await captioner({ keyFile: 'key' })
      )();
      expect(stub.last?.picture).toEqual(Buffer.from(PICTURE.jpeg));
      await (
        await captioner({ keyFile: join(folder, 'key') })
      )();
      expect(stub.last?.model).toBe('stub');
    });

    it('limits concurrent requests to the manifest, and sends all of them', async () => {
      await start({ gather: 3 });
      const model = await open('CAPTION_IMAGES', stub, { atOnce: 3, longestSide: 640 });
      expect([model.atOnce, model.longestSide]).toEqual([3, 640]);
      await Promise.all(Array.from({ length: 12 }, () => model.apply(PICTURE, {}, never)));
      expect([stub.requests, stub.mostAtOnce]).toEqual([12, 3]);
    });

    it.each<[string, Fault]>([
      ['500', FAULTS.status(500)],
      ['502', FAULTS.status(502)],
      ['503', FAULTS.status(503)],
      ['408', FAULTS.status(408)],
      ['429', FAULTS.status(429, 'slow down', { 'retry-after': '0' })],
      ['a reset', FAULTS.reset()],
      ['an answer that is cut', FAULTS.cut()],
      ['no answer in time', FAULTS.hang()],
      ['half an answer in time', FAULTS.stall()],
    ])('retries after %s, then waits for the server', async (_name, fault) => {
      await start();
      const caption = await captioner({ timeoutMs: 150 });
      stub.fail(fault, 1);
      expect(await caption()).toBe('a picture');
      expect(stub.requests).toBe(2);
      stub.fail(fault);
      const error = await failure(caption());
      expect(error).toBeInstanceOf(ModelServerOutageError);
      expect(outageOf(error)?.awaited).toBe(`the model server at ${new URL(stub.url).host}`);
      expect(stub.requests).toBeGreaterThanOrEqual(2 + 3);
      stub.recover();
      expect(await caption()).toBe('a picture');
    });

    it.each<[string, Fault, string]>([
      ['500', FAULTS.status(500, 'out of memory'), ' failed with 500: out of memory'],
      ['502', FAULTS.status(502), ' failed with 502: out of order'],
      ['504', FAULTS.status(504), ' failed with 504: out of order'],
      ['a reset', FAULTS.reset(), ': socket hang up'],
      ['an answer that is cut', FAULTS.cut(), ': aborted'],
      ['no answer in time', FAULTS.hang(), ' did not answer within 150 ms'],
      ['half an answer in time', FAULTS.stall(), ' did not answer within 150 ms'],
    ])('refuses a picture that always gets %s while others succeed', async (_name, fault, reason) => {
      const strange = { ...PICTURE, jpeg: PICTURE.jpeg.slice(1) };
      await start({ faultOf: ({ picture }) => (picture.equals(strange.jpeg) ? fault : undefined) });
      const model = await open('CAPTION_IMAGES', stub, { atOnce: 1, timeoutMs: 150 });
      // It is not known yet whether the server works at all.
      expect(await failure(model.apply(strange, {}, never))).toBeInstanceOf(ModelServerOutageError);
      await model.apply(PICTURE, {}, never);
      stub.requests = 0;
      const error = await failure(model.apply(strange, {}, never));
      expect(error).toBeInstanceOf(PictureRefusedError);
      expect(error.message).toBe(
        `The model server at ${new URL(stub.url).host}${reason}, in the last of 3 attempts for this picture, but answers for others.`,
      );
      expect(stub.requests).toBe(1 + 2 + 1);
      stub.fail(fault);
      expect(await failure(model.apply(strange, {}, never))).toBeInstanceOf(ModelServerOutageError);
    });

    it('refuses a picture after which the server is still restarting', async () => {
      const strange = { ...PICTURE, jpeg: PICTURE.jpeg.slice(1) };
      let isDown = false;
      await start({
        faultOf: ({ picture }) => {
          const wasDown = isDown;
          return (isDown = picture.equals(strange.jpeg)) || wasDown ? FAULTS.reset() : undefined;
        },
      });
      const model = await open('CAPTION_IMAGES', stub, { atOnce: 1 });
      await model.apply(PICTURE, {}, never);
      expect(await failure(model.apply(strange, {}, never))).toBeInstanceOf(PictureRefusedError);
    });

    it('waits for an unreachable server', async () => {
      await start();
      const caption = await captioner();
      await stub.close();
      expect(await failure(caption())).toBeInstanceOf(ModelServerOutageError);
    });

    it('honours Retry-After of an overloaded server', async () => {
      await start();
      const caption = await captioner();
      stub.fail(FAULTS.status(429, 'slow down', { 'retry-after': '1' }), 1);
      const since = performance.now();
      await caption();
      expect(performance.now() - since).toBeGreaterThan(990);
    });

    it.each<[string, Fault, RegExp]>([
      ['401', FAULTS.status(401), /refused the request with 401\. Name a file .* "server\.keyFile" in the manifest/],
      ['403', FAULTS.status(403), /refused the request with 403\. /],
      [
        '404',
        FAULTS.status(404, 'no such model'),
        /refused the model stub with 404: no such model\. Check "server\.url" in the manifest of served and "server\.model"\.$/,
      ],
      [
        'a redirect',
        FAULTS.status(307, '', { location: 'http://127.0.0.1:9/elsewhere' }),
        /redirects to http:\/\/127\.0\.0\.1:9\/elsewhere\. Redirects are not followed: correct "server\.url"/,
      ],
    ])('fails permanently after %s, with the remedy', async (_name, fault, sentence) => {
      await start();
      const caption = await captioner();
      stub.fail(fault);
      const error = await failure(caption());
      expect(error).toBeInstanceOf(ModelServerError);
      expect(isUnrecoverable(error)).toBe(true);
      expect(error.message).toMatch(sentence);
      expect(stub.requests).toBe(1);
    });

    it('names the file of a wrong key without the key, and reads it again', async () => {
      await start({ apiKey: 'sk-right' });
      await writeFile(join(folder, 'key'), 'sk-wrong');
      const model = await open('CAPTION_IMAGES', stub, { keyFile: 'key' });
      const { message } = await failure(model.apply(PICTURE, {}, never));
      expect(message).toMatch(/ refused the request with 401\. Write a valid API key to the file key\.$/);
      await writeFile(join(folder, 'key'), 'sk-right');
      expect(await model.apply(PICTURE, {}, never)).toEqual({ caption: 'a picture' });
      stub.fail(FAULTS.status(400, 'bad request of sk-right'));
      expect((await failure(model.apply(PICTURE, {}, never))).message).toMatch(/400: bad request of …\.$/);
    });

    it.each(['', 'two words', 'ключ'])('does not open with %p as the key', async (key) => {
      await start();
      await writeFile(join(folder, 'key'), key);
      const error = await failure(open('CAPTION_IMAGES', stub, { keyFile: 'key' }));
      expect(error).toBeInstanceOf(ModelServerError);
      expect(error.message).toMatch(/contains no API key/);
      expect((await failure(open('CAPTION_IMAGES', stub, { keyFile: 'gone' }))).message).toMatch(/can't be read/);
    });

    it.each([400, 413, 415, 422])('refuses only the picture after %i', async (status) => {
      await start();
      const caption = await captioner();
      stub.fail(FAULTS.status(status, `not\0 a\u001b[31m\n picture ${'long '.repeat(500)}`), 1);
      const error = await failure(caption());
      expect(error).toBeInstanceOf(PictureRefusedError);
      expect(error.message).toMatch(/ refused the picture with 4\d\d: not a \[31m picture long /);
      expect(error.message.length).toBeLessThan(450);
      expect(await caption()).toBe('a picture');
    });

    it.each(['', '{', 'null', '[]', '{"choices":[],"outputs":[]}', '<html></html>', '{"choices":NaN,"outputs":NaN}'])(
      'retries once after the response %p, then refuses the picture',
      async (text) => {
        await start();
        const caption = await captioner();
        stub.fail(FAULTS.text(text), 1);
        expect(await caption()).toBe('a picture');
        stub.fail(FAULTS.text(text));
        stub.requests = 0;
        const error = await failure(caption());
        expect(error).toBeInstanceOf(PictureRefusedError);
        expect(error.message).toMatch(/ gave an answer that /);
        expect(stub.requests).toBe(2);
      },
    );

    it('stops reading an endless response', async () => {
      await start();
      const caption = await captioner();
      stub.fail(FAULTS.endless());
      const error = await failure(caption());
      expect(error).toBeInstanceOf(PictureRefusedError);
      expect(error.message).toMatch(/is larger than 8 MB/);
      stub.fail(FAULTS.status(500));
      expect(await failure(caption())).toBeInstanceOf(ModelServerOutageError);
    });

    it('rejects with the reason when aborted, and leaves no listeners on the signal', async () => {
      await start();
      const model = await open('CAPTION_IMAGES', stub, { atOnce: 2 });
      const controller = new AbortController();
      await model.apply(PICTURE, {}, controller.signal);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      stub.fail(FAULTS.hang());
      stub.requests = 0;
      const work = Array.from({ length: 5 }, () => failure(model.apply(PICTURE, {}, controller.signal)));
      await waitUntil(() => stub.requests === 2);
      const reason = new Error('stopped');
      controller.abort(reason);
      for (const error of await Promise.all(work)) expect(error).toBe(reason);
      expect(stub.requests).toBe(2);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    });

    it('ends a pause between attempts when aborted', async () => {
      await start();
      const model = await open('CAPTION_IMAGES', stub, { retryMs: 60_000 });
      const controller = new AbortController();
      stub.fail((response) => {
        FAULTS.status(503)(response);
        setImmediate(() => controller.abort());
      });
      expect((await failure(model.apply(PICTURE, {}, controller.signal))).name).toBe('AbortError');
    });

    it('sanitises hostile texts', async () => {
      const hostile = `\0 a\u0007b \ud800 \u009b ${'x'.repeat(50_000)}`;
      await start({ caption: () => hostile, labels: () => [{ label: hostile }, { label: ' \0 ' }] });
      const { caption } = await (await open('CAPTION_IMAGES', stub)).apply(PICTURE, {}, never);
      expect(caption).toMatch(/^a b x+$/);
      expect(caption).toHaveLength(10_000);
      const { labels } = await (await open('IMAGE_TAGGING', stub)).apply(PICTURE, {}, never);
      expect(labels).toEqual([{ label: expect.stringMatching(/^a b x{196}$/) as string, confidence: 1 }]);
    });

    it.each(['', ' \0\n ', '\u200b'])('refuses a picture with the caption %p', async (text) => {
      await start({ caption: () => text });
      const model = await open('CAPTION_IMAGES', stub);
      expect((await failure(model.apply(PICTURE, {}, never))).message).toBe('The model gave an empty caption.');
    });

    it('limits confidences and the number of labels', async () => {
      await start({
        labels: () => [
          ...Array.from({ length: 500 }, (_, at) => ({ label: `label ${at}`, confidence: 0.5 })),
          { label: 'sure', confidence: 17 },
          { label: 'twice', confidence: 0.6 },
          { label: 'twice', confidence: 0.8 },
        ],
      });
      const { labels } = await (await open('IMAGE_TAGGING', stub)).apply(PICTURE, {}, never);
      expect(labels).toHaveLength(100);
      expect(labels.slice(0, 3)).toEqual([
        { label: 'sure', confidence: 1 },
        { label: 'twice', confidence: 0.8 },
        { label: 'label 0', confidence: 0.5 },
      ]);
    });

    it('clips boxes to the picture, and ignores empty ones', async () => {
      const boxes = [
        [-3, 0.5, 0.5, 7],
        [0.5, 0.5, 0.5, 0.9],
        [0.9, 0.1, 0.2, 0.4],
        [1.5, 0, 2, 1],
        [-2, -2, -1, -1],
      ];
      await start({ objects: () => boxes.map((box) => ({ label: 'thing', box })) });
      const { objects } = await (await open('OBJECT_DETECTION', stub)).apply(PICTURE, {}, never);
      expect(objects).toEqual([{ label: 'thing', confidence: 1, box: { x: 0, y: 0.5, width: 0.5, height: 0.5 } }]);
    });

    it('returns no findings for empty results', async () => {
      await start({ objects: () => [], labels: () => [] });
      expect(await (await open('OBJECT_DETECTION', stub)).apply(PICTURE, {}, never)).toEqual({ objects: [] });
      expect(await (await open('IMAGE_TAGGING', stub)).apply(PICTURE, {}, never)).toEqual({ labels: [] });
    });

    it.each<[number[], typeof ModelServerError | typeof PictureRefusedError, RegExp]>([
      [[1, 2, 3], ModelServerError, /an embedding of 3 numbers, not 2\. Correct "outputs\.dimension"/],
      [[0, 0], PictureRefusedError, /an embedding of zeros/],
      [[1, Infinity], PictureRefusedError, / gave an answer that /],
    ])('rejects the embedding %p', async (embedding, kind, sentence) => {
      await start({ embedding: () => embedding });
      const error = await failure((await open('MULTIMODEL_IMAGE_ENCODING', stub)).apply(PICTURE, {}, never));
      expect(error).toBeInstanceOf(kind);
      expect(error.message).toMatch(sentence);
    });

    it.each([
      { url: 'ftp://127.0.0.1' },
      { url: 'http://user:secret@127.0.0.1/' },
      { url: 'http://127.0.0.1/?key=secret' },
      { apiKey: 'secret' },
      { keyFile: '../key' },
      { atOnce: 0 },
    ])('refuses a manifest with %p', async (server) => {
      await start();
      await expect(open('CAPTION_IMAGES', stub, server)).rejects.toThrow(/server|apiKey/);
    });
  });
}
