import type { RawImage } from './decoded-image';

/** The code points of ITU-T H.273. */
export interface CodedColours {
  readonly primaries: number;
  readonly transfer: number;
}

/** The X, Y and Z of red, green and blue under D50. */
type Colorants = readonly [red: readonly number[], green: readonly number[], blue: readonly number[]];

const SRGB: Colorants = [
  [0.436065, 0.222485, 0.013916],
  [0.385147, 0.716873, 0.097076],
  [0.143066, 0.060608, 0.714096],
];
const DISPLAY_P3: Colorants = [
  [0.515102, 0.241182, -0.001049],
  [0.291965, 0.692236, 0.041882],
  [0.157153, 0.066582, 0.784378],
];
const BT_2020: Colorants = [
  [0.673459, 0.279033, -0.001931],
  [0.165661, 0.675338, 0.029979],
  [0.1251, 0.045629, 0.797162],
];
const PRIMARIES = new Map([
  [9, BT_2020],
  [12, DISPLAY_P3],
]);

const PQ = 16;
const HLG = 18;
/** Diffuse white of high dynamic range images in cd/m² (ITU-R BT.2408); brighter values become white. */
const WHITE = 203;
const D50 = [0.964203, 1, 0.824905];

/** Builds an ICC profile for the colours; undefined for sRGB. */
export function profileOf({ primaries, transfer }: CodedColours): Buffer | undefined {
  const colorants = PRIMARIES.get(primaries) ?? SRGB;
  if (colorants === SRGB && transfer !== PQ && transfer !== HLG) return undefined;
  const curve = transfer === PQ ? sampled(pqLight) : transfer === HLG ? sampled(hlgLight) : srgbCurve();
  return profile([
    ['desc', text('RGB')],
    ['cprt', text('No copyright')],
    ['wtpt', xyz(D50)],
    ['rXYZ', xyz(colorants[0])],
    ['gXYZ', xyz(colorants[1])],
    ['bXYZ', xyz(colorants[2])],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

function pqLight(signal: number): number {
  const power = signal ** (1 / 78.84375);
  return (10_000 * (Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125)) / WHITE;
}

/** As displayed on a screen of 1000 cd/m². */
function hlgLight(signal: number): number {
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12;
  return (1000 * scene ** 1.2) / WHITE;
}

function profile(tags: readonly (readonly [signature: string, data: Buffer])[]): Buffer {
  const directory = Buffer.alloc(4 + tags.length * 12);
  directory.writeUInt32BE(tags.length, 0);
  let at = 128 + directory.length;
  for (const [i, [signature, data]] of tags.entries()) {
    directory.write(signature, 4 + i * 12, 'latin1');
    directory.writeUInt32BE(at, 8 + i * 12);
    directory.writeUInt32BE(data.length, 12 + i * 12);
    at += data.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(at, 0);
  header.writeUInt32BE(0x04300000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  xyz(D50).copy(header, 68, 8);
  return Buffer.concat([header, directory, ...tags.map(([, data]) => data)]);
}

const fixed = (value: number): number => Math.round(value * 65_536);

function xyz(values: readonly number[]): Buffer {
  const tag = Buffer.alloc(20);
  tag.write('XYZ ', 0, 'latin1');
  for (const [i, value] of values.entries()) tag.writeInt32BE(fixed(value), 8 + i * 4);
  return tag;
}

function text(value: string): Buffer {
  const tag = Buffer.alloc(28 + Math.ceil(value.length / 2) * 4);
  tag.write('mluc', 0, 'latin1');
  tag.writeUInt32BE(1, 8);
  tag.writeUInt32BE(12, 12);
  tag.write('enUS', 16, 'latin1');
  tag.writeUInt32BE(value.length * 2, 20);
  tag.writeUInt32BE(28, 24);
  Buffer.from(value, 'utf16le').swap16().copy(tag, 28);
  return tag;
}

function srgbCurve(): Buffer {
  const tag = Buffer.alloc(32);
  tag.write('para', 0, 'latin1');
  tag.writeUInt16BE(3, 8);
  for (const [i, value] of [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].entries()) {
    tag.writeInt32BE(fixed(value), 12 + i * 4);
  }
  return tag;
}

const SAMPLES = 1024;

function sampled(light: (signal: number) => number): Buffer {
  const tag = Buffer.alloc(12 + SAMPLES * 2);
  tag.write('curv', 0, 'latin1');
  tag.writeUInt32BE(SAMPLES, 8);
  for (let i = 0; i < SAMPLES; i++) {
    tag.writeUInt16BE(Math.round(65_535 * Math.min(1, light(i / (SAMPLES - 1)))), 12 + i * 2);
  }
  return tag;
}

const SHORT = 3;
const LONG = 4;
const BYTES = 7;
const LINES_A_STRIP = 64;

type Tag = readonly [tag: number, type: typeof SHORT | typeof LONG | typeof BYTES, values: readonly number[]];

/** Wraps raw pixels and their colour profile in an uncompressed TIFF, because sharp accepts no profile with raw pixels. */
export function withProfile({ data, width, height, channels }: RawImage, profile: Uint8Array): Buffer {
  const line = width * channels;
  const strips = Math.ceil(height / LINES_A_STRIP);
  const lines = (strip: number): number => Math.min(LINES_A_STRIP, height - strip * LINES_A_STRIP);
  const numbers = (count: number, of: (i: number) => number): number[] =>
    Array.from({ length: count }, (_, i) => of(i));
  const start = (offset: number): number[] => numbers(strips, (i) => offset + i * LINES_A_STRIP * line);
  const tags = (offset: number): Tag[] => [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, numbers(channels, () => 8)],
    [259, SHORT, [1]],
    [262, SHORT, [channels < 3 ? 1 : 2]],
    [273, LONG, start(offset)],
    [277, SHORT, [channels]],
    [278, LONG, [LINES_A_STRIP]],
    [279, LONG, numbers(strips, (i) => lines(i) * line)],
    ...(channels % 2 === 0 ? [[338, SHORT, [2]] as Tag] : []),
    [34675, BYTES, [...profile]],
  ];
  const head = directory(tags(directory(tags(0)).length));
  return Buffer.concat([head, data]);
}

function directory(tags: readonly Tag[]): Buffer {
  const entries = Buffer.alloc(8 + 2 + tags.length * 12 + 4);
  entries.write('II*\0\x08\0\0\0', 0, 'latin1');
  entries.writeUInt16LE(tags.length, 8);
  const values: Buffer[] = [];
  let at = entries.length;
  for (const [i, [tag, type, numbers]] of tags.entries()) {
    const entry = 10 + i * 12;
    entries.writeUInt16LE(tag, entry);
    entries.writeUInt16LE(type, entry + 2);
    entries.writeUInt32LE(numbers.length, entry + 4);
    const value = encoded(type, numbers);
    if (value.length <= 4) value.copy(entries, entry + 8);
    else {
      entries.writeUInt32LE(at, entry + 8);
      values.push(value, Buffer.alloc(value.length % 2));
      at += value.length + (value.length % 2);
    }
  }
  return Buffer.concat([entries, ...values]);
}

function encoded(type: Tag[1], numbers: readonly number[]): Buffer {
  if (type === BYTES) return Buffer.from(numbers);
  const size = type === SHORT ? 2 : 4;
  const value = Buffer.alloc(numbers.length * size);
  for (const [i, number] of numbers.entries()) value.writeUIntLE(number, i * size, size);
  return value;
}
