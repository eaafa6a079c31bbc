import { join } from 'node:path';
import {
  decodedPicture,
  fixedTensor,
  FORMAT_FIXTURES,
  furthest,
  pictureNames,
  readJson,
} from '../../../../../test/support/format-fixtures';
import { ModelRegistry } from '../model-registry';
import type { Model } from '../model-runtime';
import type { FoundObject, LocalPictureModel, PictureModelType, Pixels } from '../picture-model';
import { HuggingFaceFolder } from './hugging-face-folder';
import { InputTexts } from './input-texts';
import { NamedOutputs, type Inputs } from './named-outputs';
import { TransformersCaptioner } from './transformers-captioner';
import { TRANSFORMERS_RUNTIMES } from './transformers.runtime';
import { TransformersTagger } from './recognizers';

interface Tensor {
  readonly shape: number[];
}

const reference = <Content>(name: string): Promise<Content> => readJson(FORMAT_FIXTURES, name, 'reference.json');
const folderOf = (name: string): HuggingFaceFolder => new HuggingFaceFolder(join(FORMAT_FIXTURES, name), name, 'cpu');

async function opened<Type extends PictureModelType>(type: Type, name: string): Promise<LocalPictureModel<Type>> {
  const registry = await ModelRegistry.load(FORMAT_FIXTURES);
  const model: Model = registry.get(type, `${name}_v00`);
  const open = (await model.open()) as unknown as LocalPictureModel<Type>;
  expect(open.runsIn).toBe('child');
  return open;
}

const decoded = (names: readonly string[], longestSide: number): Promise<Pixels[]> =>
  Promise.all(names.map((name) => decodedPicture(name, longestSide)));

describe('the captions of vit-gpt2', () => {
  interface Captions {
    readonly tensor: Tensor & { readonly token_ids: number[][] };
    readonly pictures: Readonly<Record<string, { readonly token_ids: number[]; readonly caption: string }>>;
  }

  it('have the same tokens as in Python for the same tensor', async () => {
    const { tensor } = await reference<Captions>('vit-gpt2');
    const captioner = await TransformersCaptioner.open(folderOf('vit-gpt2'));
    const { data, dims } = await fixedTensor(tensor.shape);
    const size = data.length / dims[0]!;
    for (const [at, expected] of tensor.token_ids.entries()) {
      const values = (data as Float32Array).slice(at * size, (at + 1) * size);
      expect(await captioner.generate(values, [1, ...dims.slice(1)])).toEqual(expected);
    }
    await captioner.close();
  });

  it("equal Python's for the file", async () => {
    const { pictures } = await reference<Captions>('vit-gpt2');
    const captioner = await opened('CAPTION_IMAGES', 'vit-gpt2');
    // Because large pictures are scaled twice, random weights may select another word.
    const names = (await pictureNames()).filter((name) => name !== 'large.jpg');
    const findings = await captioner.apply(await decoded(names, captioner.longestSide), {});
    await captioner.close();
    expect(findings.map(({ caption }) => caption)).toEqual(names.map((name) => pictures[name]!.caption.trim()));
  });

  it('are also available for objects', async () => {
    const runtime = TRANSFORMERS_RUNTIMES.find(({ type }) => type === 'CAPTION_OBJECTS')!;
    const manifest = await readJson<object>(FORMAT_FIXTURES, 'vit-gpt2', 'manifest.json');
    const model = runtime.modelOf(join(FORMAT_FIXTURES, 'vit-gpt2'), { ...manifest, type: 'CAPTION_OBJECTS' });
    expect(model.manifest).toMatchObject({ dependencies: ['OBJECT_DETECTION'] });
    const captioner = (await model.open()) as LocalPictureModel<'CAPTION_OBJECTS'>;
    const { pictures } = await reference<Captions>('vit-gpt2');
    const findings = await captioner.apply(await decoded(['wide.jpg', 'deep.png'], captioner.longestSide), {});
    await captioner.close();
    expect(findings.map(({ caption }) => caption)).toEqual(
      ['wide.jpg', 'deep.png'].map((name) => pictures[name]!.caption.trim()),
    );
  });
});

describe.each(['yolos', 'detr', 'owlvit'])('the objects of %s', (name) => {
  interface Objects {
    readonly tensor: Tensor & { readonly logits: number[][][]; readonly boxes: number[][][] };
    readonly pictures: Readonly<Record<string, { scores: number[]; labels: number[]; boxes: number[][] }>>;
  }
  const LABELS = ['red square', 'green circle', 'blue stripe'];

  async function textsOf(folder: HuggingFaceFolder): Promise<Inputs> {
    if (name !== 'owlvit') return {};
    const texts = await InputTexts.open(folder);
    return texts.inputs(
      LABELS.map((label) => `a photo of a ${label}`),
      true,
    );
  }

  it("equal Python's for the same tensor", async () => {
    const { tensor } = await reference<Objects>(name);
    const folder = folderOf(name);
    const outputs = new NamedOutputs(await folder.session('model'), ['logits', 'pred_boxes'], name);
    const pixel_values = await fixedTensor(tensor.shape);
    const { logits, pred_boxes } = await outputs.run({ ...(await textsOf(folder)), pixel_values });
    await folder.close();
    expect(furthest(logits.data, tensor.logits.flat(2))).toBeLessThan(1e-3);
    expect(furthest(pred_boxes.data, tensor.boxes.flat(2))).toBeLessThan(1e-3);
  });

  it("equal Python's for the file, within the picture", async () => {
    const { pictures } = await reference<Objects>(name);
    const detector = await opened('OBJECT_DETECTION', name);
    const names = await pictureNames();
    const findings = await detector.apply(await decoded(names, detector.longestSide), {});
    await detector.close();
    for (const [at, picture] of names.entries()) {
      const { scores, labels, boxes } = pictures[picture]!;
      const { objects } = findings[at]!;
      expect(objects).toHaveLength(scores.length);
      for (const [index, score] of scores.entries()) {
        const expected = [score, ...inside(boxes[index]!)];
        const distance = (object: FoundObject): number => furthest([object.confidence, ...cornersOf(object)], expected);
        const nearest = objects.reduce((best, each) => (distance(each) < distance(best) ? each : best));
        // With random weights, the labels are nearly equally likely.
        if (!DECODED_OTHERWISE.includes(picture)) expect(nearest.label).toBe(LABELS[labels[index]!]);
        expect(distance(nearest)).toBeLessThan(toleranceOf(picture));
      }
    }
  });
});

/** Pillow rounds transparent pixels differently, and the service scales large pictures twice. */
const DECODED_OTHERWISE = ['alpha.png', 'large.jpg'];
const toleranceOf = (picture: string): number => (DECODED_OTHERWISE.includes(picture) ? 2e-2 : 1e-3);

const inside = (corners: readonly number[]): number[] => corners.map((value) => Math.min(1, Math.max(0, value)));
const cornersOf = ({ box: { x, y, width, height } }: FoundObject): number[] => [x, y, x + width, y + height];

describe('labels', () => {
  interface Labels {
    readonly labels: string[];
    readonly confidences: Readonly<Record<string, number[]>>;
  }

  it.each(['vit', 'clip', 'siglip'])('of %s have the same confidences as in Python for the file', async (name) => {
    const { confidences, labels } = await reference<Labels>(name);
    const settings = { threshold: 0.01, labels: name === 'vit' ? undefined : labels };
    const tagger = await TransformersTagger.open(folderOf(name), settings);
    const names = await pictureNames();
    const findings = await tagger.apply(await decoded(names, tagger.longestSide));
    await tagger.close();
    for (const [at, picture] of names.entries()) {
      const expected = confidences[picture]!.filter((confidence) => confidence >= 0.01);
      const found = findings[at]!.labels;
      expect(found).toHaveLength(expected.length);
      expect(found.map(({ confidence }) => confidence)).toEqual(
        found.map(({ confidence }) => confidence).toSorted((a, b) => b - a),
      );
      for (const { label, confidence } of found)
        expect(Math.abs(confidence - confidences[picture]![labels.indexOf(label)]!)).toBeLessThan(toleranceOf(picture));
    }
  });

  it('are found by the runtime in the manifest', async () => {
    const tagger = await opened('IMAGE_TAGGING', 'vit');
    const [finding] = await tagger.apply(await decoded(['wide.jpg'], tagger.longestSide), {});
    await tagger.close();
    expect(finding!.labels[0]!.label).toBe('green circle');
  });
});
