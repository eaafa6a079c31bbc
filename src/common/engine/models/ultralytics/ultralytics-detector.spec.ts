import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodedPicture, FORMAT_FIXTURES, furthest, readJson } from '../../../../../test/support/format-fixtures';
import { flattenModel } from '../../../../../test/support/flatten-model';
import { ModelError } from '../model-error';
import { ModelRegistry } from '../model-registry';
import type { FoundObject, LocalPictureModel } from '../picture-model';
import { resizeAsOpenCv } from '../resizing/resize-as-opencv';
import { Letterbox } from '../resizing/letterbox';

interface Found {
  readonly scores: number[];
  readonly classes: number[];
  readonly boxes: number[][];
}

interface Reference {
  readonly names: string[];
  readonly pictures: Readonly<Record<string, Found>>;
}

type Detector = LocalPictureModel<'OBJECT_DETECTION'>;

async function opened(folder: string, id: string): Promise<Detector> {
  const model = (await ModelRegistry.load(folder)).get('OBJECT_DETECTION', id);
  return (await model.open()) as Detector;
}

const cornersOf = ({ box: { x, y, width, height } }: FoundObject): number[] => [x, y, x + width, y + height];

/** Without boxes that are entirely outside the picture. */
const inPicture = ({ scores, classes, boxes }: Found, names: readonly string[]): FoundObject[] =>
  boxes.flatMap(([left, top, right, bottom], at) =>
    right! > left! && bottom! > top!
      ? [
          {
            label: names[classes[at]!]!,
            confidence: scores[at]!,
            box: { x: left!, y: top!, width: right! - left!, height: bottom! - top! },
          },
        ]
      : [],
  );

describe.each(['ultralytics', 'ultralytics-end2end'])('the objects of %s', (name) => {
  it('equal those of Ultralytics for the file', async () => {
    const { names, pictures } = await readJson<Reference>(FORMAT_FIXTURES, name, 'reference.json');
    const detector = await opened(FORMAT_FIXTURES, `${name}_v00`);
    expect(Object.keys(pictures)).toHaveLength(5);
    for (const [picture, found] of Object.entries(pictures)) {
      const pixels = await decodedPicture(picture, detector.longestSide);
      const [{ objects } = { objects: [] }] = await detector.apply([pixels], {});
      const expected = inPicture(found, names);
      expect(expected.length).toBeGreaterThan(0);
      expect(objects.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
      for (const [at, object] of objects.entries()) {
        expect(Math.abs(object.confidence - expected[at]!.confidence)).toBeLessThan(1e-3);
        expect(furthest(cornersOf(object), cornersOf(expected[at]!))).toBeLessThan(1e-3);
      }
    }
    await detector.close();
  });
});

describe('pictures prepared for a detector', () => {
  interface Resized {
    readonly size: [width: number, height: number];
    readonly pixels: string;
    readonly to: [width: number, height: number];
    readonly resized: string;
  }

  it('are scaled like by OpenCV', async () => {
    const { resizing } = await readJson<{ resizing: Resized[] }>(FORMAT_FIXTURES, 'ultralytics', 'reference.json');
    expect(resizing.length).toBeGreaterThan(3);
    for (const { size, pixels, to, resized } of resizing) {
      const picture = { data: Buffer.from(pixels, 'base64'), width: size[0], height: size[1] };
      expect(Buffer.from(resizeAsOpenCv(picture, ...to).data).toString('base64')).toBe(resized);
    }
  });

  const INPUT = { width: 96, height: 64 };
  const drawn = (width: number, height: number): { data: Uint8Array; width: number; height: number } => ({
    data: new Uint8Array(3 * width * height).fill(255),
    width,
    height,
  });

  it('are centred on a grey canvas', () => {
    const { values } = Letterbox.of(drawn(10, 10), INPUT, 1);
    const line = Array.from(values.subarray(0, 96));
    expect(line.indexOf(1)).toBe(16);
    expect(line.lastIndexOf(1)).toBe(79);
    expect(line[0]).toBeCloseTo(114 / 255, 6);
  });

  it('have the aspect ratio of their file, with halves rounded to even', () => {
    const { values } = Letterbox.of({ ...drawn(96, 40), original: { width: 192, height: 81 } }, INPUT, 1);
    const column = Array.from({ length: 64 }, (_, y) => values[y * 96]);
    expect(column.filter((value) => value === 1)).toHaveLength(40);
  });

  it('can be a single line of pixels', () => {
    const box = Letterbox.of(drawn(3000, 1), INPUT, 1).boxOf([0, 0, 48, 64]);
    expect(box).toEqual({ x: 0, y: 0, width: 0.5, height: 1 });
  });
});

describe('a detector', () => {
  let site: string;
  let folder: string;

  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'detectors-'));
    folder = join(site, 'own');
    await cp(join(FORMAT_FIXTURES, 'ultralytics'), folder, { recursive: true });
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  async function changed(changes: object): Promise<void> {
    const manifest = await readJson<object>(folder, 'manifest.json');
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }));
  }

  async function applied(): Promise<FoundObject[]> {
    const detector = await opened(site, 'ultralytics_v00');
    try {
      const [finding] = await detector.apply([await decodedPicture('wide.jpg', detector.longestSide)], {});
      return [...finding!.objects];
    } finally {
      await detector.close();
    }
  }

  async function refusal(): Promise<string> {
    const error: unknown = await applied().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ModelError);
    return (error as Error).message.replaceAll(folder, 'FOLDER');
  }

  /** The same model with a different text of the same length in its metadata. */
  async function rewritten(text: string, by: string): Promise<void> {
    const path = join(folder, 'model.onnx');
    const bytes = await readFile(path);
    const at = bytes.lastIndexOf(text);
    expect([at > 0, by.length]).toEqual([true, text.length]);
    bytes.write(by, at);
    await writeFile(path, bytes);
  }

  it('uses the labels and limits of its manifest', async () => {
    await changed({ labels: ['one', 'two', 'three'], threshold: 0.9, iou: 1 });
    const objects = await applied();
    expect(objects.length).toBeGreaterThan(0);
    for (const { label, confidence } of objects) {
      expect(['one', 'two', 'three']).toContain(label);
      expect(confidence).toBeGreaterThan(0.9);
    }
  });

  it('requires a label for each class', async () => {
    await changed({ labels: ['one', 'two'] });
    expect(await refusal()).toBe(
      'The model ultralytics_v00 returned the shape [1, 7, 120]; with its 2 labels [1, 6, boxes] or [1, boxes, 6] is expected. Export it for the task detect with Ultralytics, or correct "labels" in its manifest.',
    );
  });

  it('with built-in suppression requires a label for each class that it finds', async () => {
    await cp(join(FORMAT_FIXTURES, 'ultralytics-end2end', 'model.onnx'), join(folder, 'model.onnx'));
    await changed({ labels: ['one'], threshold: 0 });
    expect(await refusal()).toMatch(/^The model ultralytics_v00 found an object of the class \d, but has 1 labels\./);
  });

  it('reports a file without class names, unless the manifest has labels', async () => {
    await rewritten('{0: ', '{1: ');
    expect(await refusal()).toBe(
      'The file model.onnx of model ultralytics_v00 does not name its classes. Add "labels" to its manifest, in the order of the classes.',
    );
    await changed({ labels: ['one', 'two', 'three'] });
    expect(await applied()).not.toEqual([]);
  });

  it('reports a file for another task', async () => {
    await rewritten('detect', 'depth!');
    expect(await refusal()).toBe(
      'The file model.onnx of model ultralytics_v00 is for the task depth!. Only detect is supported.',
    );
  });

  it('reports a different size in the manifest', async () => {
    await changed({ preprocessing: { width: 640, height: 640 } });
    expect(await refusal()).toBe(
      'The model ultralytics_v00 takes pictures of 96 x 64, not 640 x 640. Remove "preprocessing" from its manifest.',
    );
  });

  it('reports unexpected outputs', async () => {
    await writeFile(join(folder, 'model.onnx'), flattenModel('images', 'output0'));
    await changed({ labels: ['one'], preprocessing: { width: 64, height: 32 } });
    expect(await refusal()).toMatch(/^The model ultralytics_v00 returned the shape \[1, 6144\]; with its 1 labels/);
  });

  it('reports a truncated file, or one that is not ONNX', async () => {
    await truncate(join(folder, 'model.onnx'), 9000);
    expect(await refusal()).toBe("The metadata in FOLDER/model.onnx can't be read.");
    await writeFile(join(folder, 'model.onnx'), '<html>Not found</html>');
    expect(await refusal()).toBe("The metadata in FOLDER/model.onnx can't be read.");
    await writeFile(join(folder, 'model.onnx'), '');
    await changed({ labels: ['one'] });
    expect(await refusal()).toMatch(/^The file model\.onnx in FOLDER is not a usable ONNX model: [^\n]+\.$/);
  });
});
