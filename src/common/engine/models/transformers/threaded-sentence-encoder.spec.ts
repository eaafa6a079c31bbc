import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_FIXTURES, furthest, readJson } from '../../../../../test/support/format-fixtures';
import { AskedThread } from '../../../platform/concurrency/asked-thread';
import { TextEmbeddings } from '../kept-models';
import { BrokenModelError, ModelError } from '../model-error';
import { ModelRegistry } from '../model-registry';

interface Reference {
  readonly texts: string[];
  readonly text_embeddings: number[][];
}

const ID = 'bert_v00';
const reference = (): Promise<Reference> => readJson(FORMAT_FIXTURES, 'bert', 'reference.json');

async function opened(modelsDir = FORMAT_FIXTURES) {
  return (await ModelRegistry.load(modelsDir)).get('TEXT_ENCODING', ID).open();
}

describe('the vectors of texts', () => {
  it("equal Python's, also for texts that are too long, whatever the texts beside them", async () => {
    const { texts, text_embeddings: expected } = await reference();
    const encoder = await opened();
    const vectors = await encoder.embed(texts);
    const [alone] = await encoder.embed([texts[1]!]);
    await encoder.close();
    expect(encoder.dimension).toBe(32);
    for (const [at, vector] of vectors.entries()) expect(furthest(vector!, expected[at]!)).toBeLessThan(1e-4);
    expect(alone).toEqual(vectors[1]);
  });

  it('are null for texts without meaningful words', async () => {
    const encoder = await opened();
    const found = await encoder.embed(['', ' \n', '!? …', 'the of a', '🐶', 'the dog', '狗']);
    await encoder.close();
    expect(found.map((vector) => vector?.length ?? null)).toEqual([null, null, null, null, null, 32, 32]);
  });

  it('are in the order of the texts, for several requests of a thread at a time', async () => {
    const encoder = await opened();
    const texts = Array.from({ length: 150 }, (_, at) => (at % 7 === 0 ? '' : `dog ${at}`));
    const together = await Promise.all([encoder.embed(texts), encoder.embed(texts.toReversed())]);
    const one = await encoder.embed(['dog 149']);
    await encoder.close();
    expect(together[0]).toEqual(together[1].toReversed());
    expect(together[0].map((vector) => vector === null)).toEqual(texts.map((text) => text === ''));
    expect(together[0][149]).toEqual(one[0]);
  });
});

it('starts another thread after one has ended', async () => {
  const ask = jest.spyOn(AskedThread.prototype, 'ask');
  const encoder = await opened();
  const [before] = await encoder.embed(['a dog']);
  const [thread] = ask.mock.contexts as AskedThread[];
  ask.mockRestore();
  await thread!.end();
  expect((await encoder.embed(['a dog']))[0]).toEqual(before);
  await encoder.close();
});

describe('a broken folder', () => {
  let site: string;
  let folder: string;
  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'sentences-'));
    folder = join(site, 'own');
    await cp(join(FORMAT_FIXTURES, 'bert'), folder, { recursive: true });
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  async function change(name: string, changes: object): Promise<void> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), ...changes }));
  }

  async function refusal(): Promise<string> {
    const error: unknown = await opened(site).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ModelError);
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }

  it('is refused when it is opened, and reported to callers without its path', async () => {
    await rm(join(folder, 'tokenizer.json'));
    const sentence = 'The file tokenizer.json is missing in FOLDER. Export the model bert_v00 again.';
    expect(await refusal()).toBe(sentence);
    const texts = new TextEmbeddings(await ModelRegistry.load(site));
    const error: unknown = await texts.embed(ID, ['a dog']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BrokenModelError);
    expect((error as Error).message).toBe(sentence.replace('FOLDER', 'own'));
    await texts.close();
  });

  it('is refused if the model is truncated', async () => {
    await truncate(join(folder, 'model.onnx'), 50_000);
    expect(await refusal()).toMatch(
      /^The file model\.onnx in FOLDER is not a usable ONNX model: .*Protobuf parsing failed\.$/,
    );
  });

  it('is refused if the model is of another kind', async () => {
    await cp(join(FORMAT_FIXTURES, 'clip', 'model.onnx'), join(folder, 'model.onnx'));
    expect(await refusal()).toMatch(/^The model bert_v00 has no output last_hidden_state, but .*logits_per_image/);
  });

  it('is refused at the first text if vectors have another dimension', async () => {
    await change('manifest.json', { outputs: { dimension: 384 } });
    const encoder = await opened(site);
    await expect(encoder.embed(['a dog'])).rejects.toThrow(
      'The model bert_v00 returned vectors of 32 numbers, not of 384 as its manifest says.',
    );
    await encoder.close();
  });

  it('is truncated where tokenizer_config.json says so', async () => {
    const [whole] = await vectorsOf(site);
    await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ model_max_length: 4 }));
    const [shorter, same] = await vectorsOf(site);
    expect(shorter).not.toEqual(whole);
    expect(shorter).toEqual(same);
  });

  async function vectorsOf(modelsDir: string) {
    const encoder = await opened(modelsDir);
    const vectors = await encoder.embed(['a red dog at night', 'a red']);
    await encoder.close();
    return vectors;
  }
});
