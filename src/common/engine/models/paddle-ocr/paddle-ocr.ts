import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { TextLine } from '../../media-table/media-row';
import { plainText } from '../../../platform/text/texts';
import { ModelError } from '../model-error';
import { readPlainFile } from '../model-folder';
import type { ModelDevice } from '../model-manifest';
import { openSession } from '../onnx-session';
import type { LocalPictureModel, Pixels } from '../picture-model';
import { resizeByArea } from '../resizing/resize-by-area';
import { batchValues, lineBatches, MIN_COLUMNS } from './line-batches';
import { cutLine, type Size } from './line-picture';
import { readCharacters } from './read-characters';
import { inReadingOrder } from './reading-order';
import { isReadWell, surestOfEach } from './readings';
import { cornersOf, turned, type RotatedRectangle } from './rotated-rectangle';
import { textRegions, type TextRegion } from './text-regions';

export interface PaddleOcrModel {
  readonly folder: string;
  readonly manifest: {
    readonly id: string;
    readonly files: {
      readonly detection: string;
      readonly recognition: string;
      readonly direction: string;
      readonly keys: string;
    };
    readonly device: ModelDevice;
    readonly threshold: number;
  };
}

/** Lines are cut from a picture of this side, so that small letters can be read. */
const LONGEST_SIDE = 2560;
const DETECTION_SIDE = 1280;
const DETECTION_STEP = 32;
/** ImageNet's, in the order of the input's channels: blue, green, red. */
const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];

const LINE_HEIGHT = 48;
const MAX_LINE_WIDTH = 3200;
/** Bounds the time for a picture with much text. */
const MAX_COLUMNS = 250_000;
const DIRECTION_WIDTH = 192;
const DIRECTION_BATCH = 16;
/** From this ratio of height and width on, text is taken to run downwards, and from the second on certainly. */
const UPRIGHT_RATIO = 1.5;
const DOWNWARDS_RATIO = 3;

/** How much wider than in the picture lines are read at first: narrower, because the spaces between wide letters are overlooked. */
const STRETCH = 0.8;
/** Lines that are not read well are read again, wider: narrow letters have too few columns each. */
const WIDER = [1, 1.3];

const MAX_KEYS_BYTES = 1024 * 1024;
const MAX_TEXT = 1000;

/** A way to read a region of text. */
interface Way {
  readonly region: number;
  readonly rectangle: RotatedRectangle;
  readonly stretch: number;
}

interface Line extends Way {
  readonly text: string;
  readonly confidence: number;
}

type Role = 'detection' | 'recognition' | 'direction';

/** The three networks of PaddleOCR: one finds lines, one tells whether a line is upside down, and one reads it. */
export class PaddleOcr implements LocalPictureModel<'TEXT_RECOGNITION'> {
  readonly runsIn = 'child';
  readonly longestSide = LONGEST_SIDE;

  private constructor(
    private readonly sessions: Readonly<Record<Role, InferenceSession>>,
    private readonly characters: readonly string[],
    private readonly manifest: PaddleOcrModel['manifest'],
  ) {}

  static async open({ folder, manifest }: PaddleOcrModel): Promise<PaddleOcr> {
    const { detection, recognition, direction, keys } = manifest.files;
    const characters = await readKeys(join(folder, keys));
    const opened: InferenceSession[] = [];
    const open = async (file: string): Promise<InferenceSession> => {
      const session = await openSession(folder, file, { device: manifest.device });
      opened.push(session);
      return session;
    };
    try {
      const sessions = {
        detection: await open(detection),
        recognition: await open(recognition),
        direction: await open(direction),
      };
      return new PaddleOcr(sessions, characters, manifest);
    } catch (error) {
      for (const session of opened) await session.release();
      throw error;
    }
  }

  async apply(pictures: readonly Pixels[]): Promise<{ lines: TextLine[] }[]> {
    const findings: { lines: TextLine[] }[] = [];
    for (const picture of pictures) findings.push({ lines: await this.linesIn(picture) });
    return findings;
  }

  async close(): Promise<void> {
    for (const session of Object.values(this.sessions)) await session.release();
  }

  private async linesIn(picture: Pixels): Promise<TextLine[]> {
    const regions = await this.detect(picture);
    const affordable = within(MAX_COLUMNS);
    const ways = affordable(
      regions.flatMap(({ rectangle }, region) =>
        waysToRead(rectangle).map((way) => ({ region, rectangle: way, stretch: STRETCH })),
      ),
    );
    const turnedWays = affordable(await this.upsideDown(picture, ways));
    let read = surestOfEach(await this.read(picture, [...ways, ...turnedWays]));
    for (const stretch of WIDER) {
      const uncertain = read.filter((line) => !isReadWell(line));
      const again = affordable(uncertain.map(({ region, rectangle }) => ({ region, rectangle, stretch })));
      read = surestOfEach([...read, ...(await this.read(picture, again))]);
    }
    const certain = read.filter(({ text, confidence }) => text !== '' && confidence >= this.manifest.threshold);
    return inReadingOrder(certain).map(({ rectangle, text, confidence }) => ({
      text,
      confidence: rounded(confidence),
      corners: fractions(rectangle, picture),
    }));
  }

  private async detect(picture: Pixels): Promise<TextRegion[]> {
    const { width, height } = detectionSize(picture);
    const { data } = resizeByArea(picture, width, height);
    const plane = width * height;
    const values = new Float32Array(3 * plane);
    for (let at = 0; at < plane; at++)
      for (let channel = 0; channel < 3; channel++)
        values[channel * plane + at] = (data[at * 3 + 2 - channel]! / 255 - MEAN[channel]!) / DEVIATION[channel]!;
    const map = await this.run('detection', values, [1, 3, height, width], [1, 1, height, width]);
    return textRegions({ data: map, width, height }, picture);
  }

  /** Those that may be upside down, turned. The network is often wrong about long lines, so both ways are read. */
  private async upsideDown(picture: Pixels, ways: readonly Way[]): Promise<Way[]> {
    const found: Way[] = [];
    for (let first = 0; first < ways.length; first += DIRECTION_BATCH) {
      const some = ways.slice(first, first + DIRECTION_BATCH);
      const cut = some.map(({ rectangle }) => cutLine(picture, rectangle, lineSize(rectangle, DIRECTION_WIDTH)));
      const values = batchValues(cut, LINE_HEIGHT, DIRECTION_WIDTH);
      const shape = [some.length, 3, LINE_HEIGHT, DIRECTION_WIDTH];
      const probabilities = await this.run('direction', values, shape, [some.length, 2]);
      some.forEach(({ region, rectangle }, nth) => {
        if (probabilities[nth * 2 + 1]! > 0.5)
          found.push({ region, rectangle: turned(rectangle, 2), stretch: STRETCH });
      });
    }
    return found;
  }

  private async read(picture: Pixels, ways: readonly Way[]): Promise<Line[]> {
    const sizes = ways.map(readSize);
    const lines: Line[] = [];
    for (const batch of lineBatches(sizes.map(({ width }) => width))) {
      const cut = batch.lines.map((line) => cutLine(picture, ways[line]!.rectangle, sizes[line]!));
      const values = batchValues(cut, LINE_HEIGHT, batch.columns);
      const shape = [cut.length, 3, LINE_HEIGHT, batch.columns];
      const found = await this.run('recognition', values, shape, [cut.length, undefined, this.characters.length + 1]);
      const each = found.length / cut.length;
      batch.lines.forEach((line, nth) => {
        const { text, confidence } = readCharacters(found.subarray(nth * each, (nth + 1) * each), this.characters);
        lines.push({ ...ways[line]!, text: plainText(text, MAX_TEXT), confidence });
      });
    }
    return lines;
  }

  /** Throws ModelError if the result does not have this shape, of which undefined is any size. */
  private async run(
    role: Role,
    values: Float32Array,
    shape: readonly number[],
    result: readonly (number | undefined)[],
  ): Promise<Float32Array> {
    const { Tensor } = await import('onnxruntime-node');
    const session = this.sessions[role];
    const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
    const { data, dims }: Tensor = (await session.run({ [input]: new Tensor('float32', values, shape) }, [output]))[
      output
    ]!;
    const isShape =
      dims.length === result.length && result.every((size, at) => size === undefined || size === dims[at]);
    if (data instanceof Float32Array && isShape) return data;
    throw new ModelError(
      `The file ${this.manifest.files[role]} of the model ${this.manifest.id} returned the shape [${dims.join(', ')}], but [${result.map((size) => size ?? 'any').join(', ')}] is expected. Use the files of PP-OCRv4 for ${role}, with the keys that belong to them.`,
    );
  }
}

/** A character on each line; the models have a space after them. */
async function readKeys(path: string): Promise<string[]> {
  const text = await readPlainFile(path, MAX_KEYS_BYTES);
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return [...lines, ' '];
}

/** Text may run downwards in a region that is higher than wide; one that is hardly higher may be a single character. */
function waysToRead(rectangle: RotatedRectangle): RotatedRectangle[] {
  const ratio = rectangle.height / rectangle.width;
  return [...(ratio < DOWNWARDS_RATIO ? [rectangle] : []), ...(ratio >= UPRIGHT_RATIO ? [turned(rectangle, 1)] : [])];
}

const lineSize = ({ width, height }: RotatedRectangle, maxWidth: number, stretch = 1): Size => ({
  width: Math.min(maxWidth, Math.max(1, Math.ceil((LINE_HEIGHT * width * stretch) / height))),
  height: LINE_HEIGHT,
});

const readSize = ({ rectangle, stretch }: Way): Size => lineSize(rectangle, MAX_LINE_WIDTH, stretch);

/** Returns the first of the ways until so many columns are spent, over all calls. */
function within(columns: number): (ways: readonly Way[]) => Way[] {
  let left = columns;
  return (ways) => ways.filter((way) => (left -= Math.max(MIN_COLUMNS, readSize(way).width)) >= 0);
}

function detectionSize({ width, height }: Size): Size {
  const scale = Math.min(1, DETECTION_SIDE / Math.max(width, height));
  const side = (length: number): number =>
    Math.max(DETECTION_STEP, Math.round((length * scale) / DETECTION_STEP) * DETECTION_STEP);
  return { width: side(width), height: side(height) };
}

/** Within 0..1, with as many digits as tell pixels apart. */
const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;

function fractions(rectangle: RotatedRectangle, { width, height }: Size): TextLine['corners'] {
  const [a, b, c, d] = cornersOf(rectangle).map(({ x, y }) => ({ x: rounded(x / width), y: rounded(y / height) }));
  return [a!, b!, c!, d!];
}
