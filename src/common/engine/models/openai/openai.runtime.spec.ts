import { SiteModels } from '../../../../../test/support/site-models';
import { FAULTS, StubModelServer, type StubOptions } from '../../../../../test/support/stub-model-server';
import { ModelRegistry } from '../model-registry';
import type { PictureModelType, RemotePictureModel } from '../picture-model';
import {
  describeRemoteRuntime,
  never,
  openAtStub,
  PICTURE,
  type RuntimeUnderTest,
} from '../servers/remote-runtime.contract';
import { describeTextSide } from '../servers/text-side.contract';
import { OPENAI_RUNTIMES } from './openai.runtime';

const openai: RuntimeUnderTest = {
  runtimes: OPENAI_RUNTIMES,
  serverFields: (url, type) => ({
    url: `${url}/v1`,
    ...(type === 'OBJECT_DETECTION' ? { boxes: 'fractions' } : {}),
  }),
  fieldsOf: (type) => (type === 'MULTIMODEL_IMAGE_ENCODING' ? { outputs: { dimension: 2 } } : {}),
};

describeRemoteRuntime('openai', openai);
describeTextSide('openai', openai);

describe('openai', () => {
  let stub: StubModelServer;
  const open = openAtStub(openai, () => '/none');
  const start = async (options: StubOptions = {}): Promise<void> => {
    stub = await StubModelServer.start(options);
  };
  afterEach(() => stub.close());

  it.each<[PictureModelType, RegExp]>([
    ['CAPTION_IMAGES', /^Describe this image /],
    ['CAPTION_OBJECTS', /shows one object/],
    ['IMAGE_TAGGING', /"labels"/],
    ['OBJECT_DETECTION', /"objects".* fractions of the width/],
    ['MULTIMODEL_IMAGE_ENCODING', /^Represent the given image\.$/],
  ])('has a prompt for %s, which the manifest can replace', async (type, prompt) => {
    await start();
    await (await open(type, stub)).apply(PICTURE, {}, never);
    expect(stub.last?.prompt).toMatch(prompt);
    await (await open(type, stub, { prompt: 'Own words.' })).apply(PICTURE, {}, never);
    expect(stub.last?.prompt).toBe('Own words.');
  });

  it("prefers the request's prompt, for captions", async () => {
    await start();
    const model = await open('CAPTION_IMAGES', stub, { prompt: 'Of the manifest.' });
    await model.apply(PICTURE, { prompt: 'Of the request.' }, never);
    expect(stub.last?.prompt).toBe('Of the request.');
    await model.apply(PICTURE, { prompt: ' ' }, never);
    expect(stub.last?.prompt).toBe('Of the manifest.');
  });

  it('sends the fields of the API and the manifest', async () => {
    await start();
    const extra = { chat_template_kwargs: { enable_thinking: false }, seed: 4 };
    const model = await open('CAPTION_IMAGES', stub, { maxTokens: 50, temperature: 0.5, extra });
    await model.apply(PICTURE, {}, never);
    const { path, fields } = stub.last!;
    expect([path, fields]).toEqual([
      '/v1/chat/completions',
      {
        model: 'stub',
        messages: [expect.objectContaining({ role: 'user' })],
        max_tokens: 50,
        temperature: 0.5,
        stream: false,
        ...extra,
      },
    ]);
    await (await open('IMAGE_TAGGING', stub)).apply(PICTURE, {}, never);
    expect(stub.last?.fields['response_format']).toMatchObject({ json_schema: { name: 'labels', strict: true } });
    await (await open('MULTIMODEL_IMAGE_ENCODING', stub)).apply(PICTURE, {}, never);
    expect(stub.last).toMatchObject({ path: '/v1/embeddings', fields: { encoding_format: 'float' } });
  });

  it('sends texts as input or as a message', async () => {
    await start();
    const askedBy = async (server: object): Promise<object> => {
      await (await open('MULTIMODEL_IMAGE_ENCODING', stub, server)).embedTexts(['a red car'], never);
      expect(stub.last?.path).toBe('/v1/embeddings');
      return stub.last!.fields;
    };
    const common = { model: 'stub', encoding_format: 'float' };
    expect(await askedBy({})).toEqual({ ...common, input: 'a red car' });
    const content = [{ type: 'text', text: 'Find: a red car.' }];
    expect(await askedBy({ texts: { form: 'messages', prompt: 'Find: {text}.' }, extra: { seed: 1 } })).toEqual({
      ...common,
      messages: [{ role: 'user', content }],
      seed: 1,
    });
    await expect(askedBy({ texts: { prompt: 'without its place' } })).rejects.toThrow(/prompt/);
  });

  it('is found in MODELS_DIR', async () => {
    await start({ caption: ({ prompt }) => `${prompt} A dog.` });
    const site = await SiteModels.make();
    try {
      await site.addCaptioner('own_captioner_v00', stub.url, { server: { prompt: 'Look!', atOnce: 16 } });
      const opened = await (await ModelRegistry.load(site.folder)).get('CAPTION_IMAGES', 'own_captioner_v00').open();
      const model = opened as RemotePictureModel<'CAPTION_IMAGES'>;
      expect(model.atOnce).toBe(16);
      expect(await model.apply(PICTURE, {}, never)).toEqual({ caption: 'Look! A dog.' });
    } finally {
      await site.remove();
    }
  });

  it('accepts a URL with or without a trailing slash', async () => {
    await start();
    await (await open('CAPTION_IMAGES', stub, { url: `${stub.url}/v1/` })).apply(PICTURE, {}, never);
    expect(stub.last?.path).toBe('/v1/chat/completions');
  });

  it.each([
    'Here [as you asked] are the labels:\n```json\n{"labels": [{"label": "a dog", "confidence": 0.5}, {"label": "{"}]}\n```',
    '[{"label": "a dog", "confidence": 0.5}, "{"]',
    '{"labels": [{"label": "a dog", "confidence": 0.5}, {"label": "{", "confidence": "high"}, {"name": "x"}, 3]} Bye!',
  ])('finds labels in %p of a server without structured output', async (text) => {
    await start({ caption: () => text });
    const model = await open('IMAGE_TAGGING', stub, { structuredOutput: false });
    const { labels } = await model.apply(PICTURE, {}, never);
    expect(stub.last?.fields).not.toHaveProperty('response_format');
    expect(labels).toEqual([
      { label: '{', confidence: 1 },
      { label: 'a dog', confidence: 0.5 },
    ]);
  });

  it.each(['No labels.', '{"labels": "dog"}', '{"labels": [{"name": "dog"}]}', '{"tags": []}', '{"labels": ["dog"'])(
    'refuses the picture if the server only returns %p',
    async (text) => {
      await start({ caption: () => text });
      const model = await open('IMAGE_TAGGING', stub, { structuredOutput: false });
      await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(/gave an answer that /);
    },
  );

  it.each([
    ['fractions', [0.1, 0.2, 0.6, 0.8], /fractions/],
    ['thousandths', [100, 200, 600, 800], /integers between 0 and 1000/],
    ['pixels', [20, 20, 120, 80], /200 pixels wide and 100 high/],
  ])('reads boxes in %s', async (boxes, box, prompt) => {
    await start({ caption: () => JSON.stringify([{ label: 'dog', box }]), objects: () => [{ label: 'dog', box }] });
    for (const structuredOutput of [true, false]) {
      const model = await open('OBJECT_DETECTION', stub, { boxes, structuredOutput });
      const { objects } = await model.apply(PICTURE, {}, never);
      const near = (value: number): unknown => expect.closeTo(value, 6);
      const found = { x: near(0.1), y: near(0.2), width: near(0.5), height: near(0.6) };
      expect(objects).toEqual([{ label: 'dog', confidence: 1, box: found }]);
      expect(stub.last?.prompt).toMatch(prompt);
    }
  });

  it('counts tokens if the server reports them', async () => {
    await start();
    const model = await open('CAPTION_IMAGES', stub);
    expect(model.tokens).toEqual({ prompt: 0, completion: 0 });
    for (let each = 0; each < 3; each++) await model.apply(PICTURE, {}, never);
    stub.fail(FAULTS.json({ choices: [{ message: { content: 'a picture' } }] }));
    await model.apply(PICTURE, {}, never);
    expect(model.tokens).toEqual({ prompt: 300, completion: 30 });
    const encoder = await open('MULTIMODEL_IMAGE_ENCODING', stub);
    stub.recover();
    await encoder.apply(PICTURE, {}, never);
    expect(encoder.tokens).toEqual({ prompt: 7, completion: 0 });
  });

  it('reports that the model refused or needs more tokens', async () => {
    await start();
    const model = await open('IMAGE_TAGGING', stub);
    stub.fail(FAULTS.json({ choices: [{ message: { content: null, refusal: 'I must not.\n' } }] }));
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow('The model refused the picture: I must not.');
    stub.fail(
      FAULTS.json({ choices: [{ message: { content: '{"labels": [{"label": "a"}, ' }, finish_reason: 'length' }] }),
    );
    await expect(model.apply(PICTURE, {}, never)).rejects.toThrow(
      /ends before its JSON does; a larger "server.maxTokens"/,
    );
  });
});
