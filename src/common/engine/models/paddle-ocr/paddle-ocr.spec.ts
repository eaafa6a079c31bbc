import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTextModel } from '../../../../../test/support/text-models';
import type { TextLine } from '../../media-table/media-row';
import { modelOf, readManifest } from '../model-folder';
import { MODEL_RUNTIMES } from '../model-runtimes';
import type { LocalPictureModel, Pixels } from '../picture-model';

const SIZE = { width: 320, height: 192 };

type Colour = readonly [red: number, green: number, blue: number];
const RED: Colour = [255, 0, 0];
const GREEN: Colour = [0, 255, 0];
const BLUE: Colour = [0, 0, 255];

interface Bar {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** From the left to the right, or from the top to the bottom of a bar that is higher than wide. */
  readonly colours: readonly Colour[];
  /** Which half is darker; that is the lower one of upright text. */
  readonly dark?: 'upper' | 'lower';
}

function picture(bars: readonly Bar[]): Pixels {
  const data = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (const { left, top, width, height, colours, dark } of bars)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const part = height > width ? y / height : x / width;
        const light = (dark === 'upper' && y < height / 2) || (dark === 'lower' && y >= height / 2) ? 0.8 : 1;
        const colour = colours[Math.floor(part * colours.length)]!;
        data.set(
          colour.map((level) => level * light),
          ((top + y) * SIZE.width + left + x) * 3,
        );
      }
  return { data, ...SIZE };
}

describe('the recognition of text by PaddleOCR', () => {
  let modelsDir: string;
  let opened: LocalPictureModel<'TEXT_RECOGNITION'> | undefined;

  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'paddle-ocr-'));
  });

  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    await rm(modelsDir, { recursive: true });
  });

  const open = async (folder: string): Promise<LocalPictureModel<'TEXT_RECOGNITION'>> => {
    const model = await modelOf(folder, (await readManifest(folder))!, MODEL_RUNTIMES);
    opened = (await model.open()) as LocalPictureModel<'TEXT_RECOGNITION'>;
    return opened;
  };

  const read = async (bars: readonly Bar[], changes = {}): Promise<readonly TextLine[]> => {
    const model = await open(await writeTextModel(modelsDir, 'bars_v00', changes));
    return (await model.apply([picture(bars)], {}))[0]!.lines;
  };

  it('reads lines in order, with their corners', async () => {
    const lines = await read([
      { left: 180, top: 120, width: 100, height: 24, colours: [GREEN, RED] },
      { left: 40, top: 40, width: 160, height: 24, colours: [RED, GREEN, RED, GREEN] },
      { left: 40, top: 122, width: 100, height: 24, colours: [GREEN] },
    ]);
    expect(lines.map(({ text }) => text)).toEqual(['rgrg', 'g', 'gr']);
    const [start, end, below] = lines[0]!.corners;
    expect(start.x * SIZE.width).toBeLessThan(40);
    expect(start.y * SIZE.height).toBeLessThan(40);
    expect(end.x * SIZE.width).toBeGreaterThan(200);
    expect(end.y).toBeCloseTo(start.y);
    expect(below.y * SIZE.height).toBeGreaterThan(64);
    for (const { confidence } of lines) expect(confidence).toBeGreaterThan(0.8);
  });

  it('reads a line that may be upside down both ways, and keeps the surer one', async () => {
    const bar = { left: 40, top: 40, width: 160, height: 24, colours: [BLUE, GREEN] };
    const [upright] = await read([{ ...bar, dark: 'lower' }]);
    expect(upright!.text).toBe('bg');
    await opened!.close();
    const [turned] = await read([{ ...bar, dark: 'upper' }]);
    expect(turned!.text).toBe('gb');
    expect(turned!.corners[0].x).toBeGreaterThan(turned!.corners[1].x);
  });

  it('reads a line that runs downwards', async () => {
    const [line] = await read([{ left: 100, top: 30, width: 20, height: 120, colours: [RED, GREEN] }]);
    expect(line!.text).toBe('rg');
    expect(line!.corners[1].y).toBeGreaterThan(line!.corners[0].y);
  });

  it('reads a line of narrow characters again, wider', async () => {
    const colours = Array.from({ length: 22 }, (_, nth) => (nth % 2 === 0 ? RED : GREEN));
    const [line] = await read([{ left: 40, top: 40, width: 200, height: 24, colours }]);
    // At its own width it is read as fewer than ten.
    expect(line!.text.length).toBeGreaterThan(15);
  });

  it('reads a bounded part of a picture that is full of text', async () => {
    const model = await open(await writeTextModel(modelsDir, 'bars_v00'));
    const [width, height] = [2560, 2560];
    const data = new Uint8Array(width * height * 3);
    // A hundred lines as wide as the picture, of which each is cut to the widest that is read.
    for (let y = 0; y < height; y++) for (let x = 0; y % 24 < 12 && x < width; x++) data[(y * width + x) * 3] = 255;
    const [found] = await model.apply([{ data, width, height }], {});
    expect(found!.lines).toHaveLength(78);
  }, 60_000);

  it('leaves out uncertain lines, and returns none for a picture without text', async () => {
    const dim = { left: 40, top: 40, width: 160, height: 24, colours: [[225, 0, 0] as Colour] };
    expect(await read([dim])).toHaveLength(1);
    await opened!.close();
    expect(await read([dim], { threshold: 0.999 })).toEqual([]);
    expect((await opened!.apply([picture([])], {}))[0]).toEqual({ lines: [] });
  });

  it('reads a picture of one pixel', async () => {
    const model = await open(await writeTextModel(modelsDir, 'bars_v00'));
    const pixel = { data: Uint8Array.of(255, 0, 0), width: 1, height: 1 };
    expect(await model.apply([pixel], {})).toHaveLength(1);
  });

  it('says what is wrong with files that do not belong together', async () => {
    const folder = await writeTextModel(modelsDir, 'bars_v00');
    await writeFile(join(folder, 'keys.txt'), 'r\ng\n');
    const model = await open(folder);
    const bar = { left: 40, top: 40, width: 160, height: 24, colours: [RED] };
    await expect(model.apply([picture([bar])], {})).rejects.toThrow(
      /recognition\.onnx of the model bars_v00 returned the shape \[1, \d+, 5\], but \[1, any, 4\] is expected\./,
    );
    await model.close();
    opened = undefined;
    await writeFile(join(folder, 'direction.onnx'), 'not a model');
    await expect(open(folder)).rejects.toThrow(/direction\.onnx in .* is not a usable ONNX model/);
  });
});
