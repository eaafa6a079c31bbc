import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeOnnx, type OnnxGraph } from '../../arithmetic/onnx-graph';
import { ModelError } from '../model-error';
import { ModelRegistry } from '../model-registry';
import type { FoundObject, LocalPictureModel, Pixels } from '../picture-model';
import { fromPeaks, type Grid } from './centernet-detector';

const LIMITS = { threshold: 0.25, iou: 0.4 };

/** Two labels on a grid of 4 x 3 points, 8 pixels apart; every box reaches 6, 5, 4 and 3 pixels to its edges. */
function gridOf(scores: Readonly<Record<number, number>>): Grid {
  const points = 12;
  const peaks = new Float32Array(2 * points);
  for (const [at, score] of Object.entries(scores)) peaks[Number(at)] = score;
  const sizes = Float32Array.from({ length: 4 * points }, (_, at) => 6 - Math.floor(at / points));
  return { peaks, sizes, columns: 4, points, step: { x: 8, y: 8 } };
}

describe('the peaks of a grid', () => {
  it('are the points that boxes are measured from, ordered by confidence', () => {
    expect(fromPeaks(gridOf({ 6: 0.5, 12: 0.75 }), LIMITS)).toEqual([
      { label: 1, confidence: 0.75, corners: [-6, -5, 4, 3] },
      { label: 0, confidence: 0.5, corners: [10, 3, 20, 11] },
    ]);
  });

  it('count above the threshold', () => {
    expect(fromPeaks(gridOf({ 0: 0.25, 2: 0.2, 4: NaN }), LIMITS)).toEqual([]);
    expect(fromPeaks(gridOf({ 0: 0.25 }), { ...LIMITS, threshold: 0 })).toHaveLength(1);
  });

  it('with overlapping boxes of one label are one object', () => {
    const grid = gridOf({ 0: 0.5, 1: 0.75, 13: 0.625 });
    // Two points side by side have 2 x 8 pixels in common, of a union of 144.
    expect(fromPeaks(grid, LIMITS)).toHaveLength(3);
    expect(fromPeaks(grid, { ...LIMITS, iou: 0.1 }).map(({ label, confidence }) => [label, confidence])).toEqual([
      [0, 0.75],
      [1, 0.625],
    ]);
  });

  it('are ignored if their box has no area or is not finite', () => {
    const grid = gridOf({ 0: 0.5, 1: 0.5, 2: 0.5 });
    grid.sizes[0] = -4;
    grid.sizes[13] = Infinity;
    expect(fromPeaks(grid, LIMITS).map(({ corners }) => corners)).toEqual([[10, -5, 20, 3]]);
  });
});

/** Finds squares of a full red, green or blue: the peaks are the brightest of 4 x 4 pixels, and all boxes have 16 pixels. */
const DETECTOR: OnnxGraph = {
  nodes: [
    {
      operator: 'MaxPool',
      inputs: ['image'],
      output: 'brightest',
      attributes: { kernel_shape: [4, 4], strides: [4, 4] },
    },
    { operator: 'Div', inputs: ['brightest', 'full'], output: 'peaks' },
    {
      operator: 'Conv',
      inputs: ['image', 'filter', 'reach'],
      output: 'sizes',
      attributes: { kernel_shape: [4, 4], strides: [4, 4] },
    },
  ],
  constants: [
    { name: 'full', element: 'float32', shape: [], bytes: bytesOf([255]) },
    { name: 'filter', element: 'float32', shape: [4, 3, 4, 4], bytes: bytesOf(new Array<number>(192).fill(0)) },
    { name: 'reach', element: 'float32', shape: [4], bytes: bytesOf([8, 8, 8, 8]) },
  ],
  inputs: [{ name: 'image', element: 'float32', shape: [1, 3, 32, 64] }],
  outputs: ['peaks', 'sizes'].map((name) => ({ name, element: 'float32', shape: [1, `${name}Planes`, 8, 16] })),
};

function bytesOf(values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

const MANIFEST = {
  id: 'squares_detector_v00',
  name: 'Squares',
  type: 'OBJECT_DETECTION',
  description: 'Squares of a full colour.',
  licence: 'Apache-2.0',
  runtime: 'centernet',
  files: { model: 'model.onnx' },
  threshold: 0.5,
  labels: ['red', 'green', 'blue'],
};

/** Black, with squares of 8 x 8 pixels in full red, green or blue. */
function pictureWith(squares: readonly { x: number; y: number; channel: number }[], width = 128, height = 64): Pixels {
  const data = new Uint8Array(3 * width * height);
  for (const { x, y, channel } of squares)
    for (let at = 0; at < 64; at++) data[3 * ((y + (at >> 3)) * width + x + (at & 7)) + channel] = 255;
  return { data, width, height };
}

describe('a detector', () => {
  let site: string;

  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'centernet-'));
    await mkdir(join(site, 'squares'));
    await write(DETECTOR);
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  async function write(graph: OnnxGraph, changes: object = {}): Promise<void> {
    await writeFile(join(site, 'squares', 'model.onnx'), encodeOnnx(graph));
    await writeFile(join(site, 'squares', 'manifest.json'), JSON.stringify({ ...MANIFEST, ...changes }));
  }

  async function applied(picture: Pixels): Promise<readonly FoundObject[]> {
    const model = (await ModelRegistry.load(site)).get('OBJECT_DETECTION', MANIFEST.id);
    const detector = (await model.open()) as LocalPictureModel<'OBJECT_DETECTION'>;
    expect(detector.longestSide).toBe(128);
    try {
      const [finding] = await detector.apply([picture], {});
      return finding!.objects;
    } finally {
      await detector.close();
    }
  }

  const refusal = (): Promise<unknown> =>
    applied(pictureWith([])).then(
      () => 'nothing was refused',
      (error: unknown) => (error instanceof ModelError ? error.message : error),
    );

  it('finds objects in a picture that is scaled to its input', async () => {
    const objects = await applied(
      pictureWith([
        { x: 64, y: 32, channel: 0 },
        { x: 120, y: 56, channel: 2 },
      ]),
    );
    expect(objects).toEqual([
      { label: 'red', confidence: 1, box: { x: 0.375, y: 0.25, width: 0.25, height: 0.5 } },
      { label: 'blue', confidence: 1, box: { x: 0.8125, y: 0.625, width: 0.1875, height: 0.375 } },
    ]);
  });

  it('keeps the aspect ratio of a picture', async () => {
    const objects = await applied(pictureWith([{ x: 32, y: 32, channel: 1 }], 64, 64));
    expect(objects).toEqual([{ label: 'green', confidence: 1, box: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 } }]);
  });

  it('requires a label for each plane of peaks', async () => {
    await write(DETECTOR, { labels: ['red', 'green'] });
    expect(await refusal()).toBe(
      'The model squares_detector_v00 returned peaks of float32 [1, 3, 8, 16] and sizes of float32 [1, 4, 8, 16]; with its 2 labels float32 [1, 2, rows, columns] and [1, 4, rows, columns] are expected. Correct "labels" in its manifest.',
    );
  });

  it('requires its outputs', async () => {
    await write({ ...DETECTOR, outputs: DETECTOR.outputs.slice(0, 1) });
    expect(await refusal()).toBe('The model squares_detector_v00 has the outputs peaks, but not peaks and sizes.');
  });

  it.each([
    ['another number of channels', [1, 4, 32, 64]],
    ['several pictures', [2, 3, 32, 64]],
    ['another number of axes', [1, 3, 32]],
  ])('refuses a file that takes %s', async (_, shape) => {
    const outputs = ['peaks', 'sizes'].map((output) => ({ operator: 'Identity', inputs: ['image'], output }));
    const inputs = [{ ...DETECTOR.inputs[0]!, shape }];
    const values = ['peaks', 'sizes'].map((name) => ({ ...DETECTOR.inputs[0]!, name, shape }));
    await write({ nodes: outputs, constants: [], inputs, outputs: values });
    expect(await refusal()).toBe(
      'The model squares_detector_v00 does not take one picture as float32 [1, 3, height, width].',
    );
  });

  it('refuses a file that takes pictures of any size, or of a size that no detector has', async () => {
    const [input] = DETECTOR.inputs;
    const outputs = DETECTOR.outputs.map((output) => ({ ...output, shape: [1, 'planes', 'rows', 'columns'] }));
    await write({ ...DETECTOR, inputs: [{ ...input!, shape: [1, 3, 'height', 64] }], outputs });
    expect(await refusal()).toBe(
      'The model squares_detector_v00 takes pictures of 64 x height; 32 to 2048 pixels are supported.',
    );
    await write({ ...DETECTOR, inputs: [{ ...input!, shape: [1, 3, 32, 4096] }], outputs });
    expect(await refusal()).toMatch(/takes pictures of 4096 x 32; 32 to 2048 pixels are supported\.$/);
  });

  it('reports a file that is not ONNX', async () => {
    await writeFile(join(site, 'squares', 'model.onnx'), '<html>Not found</html>');
    expect(await refusal()).toMatch(/^The file model\.onnx in .* is not a usable ONNX model: [^\n]+\.$/);
  });
});
