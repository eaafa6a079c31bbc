import { execFile, spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { resizeByArea } from '../../src/common/engine/models/resizing/resize-by-area';
import type { AnalyzeResult, ImageAnalysis } from '../../src/common/engine/compute/media-analysis';
import { ComputeBench } from '../support/compute';
import accepted from './accepted-differences.json';

const MIN_SIDE = 10;
/** The maximum mean absolute difference of the small pictures, of 255: thumbnails are lossy, and libraries resize differently. */
const MAX_DIFFERENCE = 8;
/** The formats that the service reads, by Pillow's names. */
const FORMATS = new Set(['JPEG', 'MPO', 'PNG', 'GIF', 'TIFF', 'WEBP', 'HEIF', 'BMP', 'JPEG2000']);

interface PillowPicture {
  readonly file: string;
  readonly error?: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly small: readonly [width: number, height: number];
  readonly pixels: string;
}

async function fetchPictures(): Promise<string> {
  const script = join(__dirname, 'foreign-pictures.sh');
  try {
    return (await promisify(execFile)(script)).stdout.trim();
  } catch (error) {
    throw new Error(String((error as { stderr?: string }).stderr ?? error), { cause: error });
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => stat(join(folder, file))));
  return files.filter((_, i) => sizes[i]!.isFile()).toSorted();
}

async function readWithPillow(root: string, files: readonly string[]): Promise<ReadonlyMap<string, PillowPicture>> {
  const pictures = new Map<string, PillowPicture>();
  const reader = spawn(join(root, 'python', 'bin', 'python'), [join(__dirname, 'read-with-pillow.py')], {
    cwd: join(root, 'pictures'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  reader.stdin.end(files.join('\n'));
  for await (const line of createInterface({ input: reader.stdout })) {
    const picture = JSON.parse(line) as PillowPicture;
    pictures.set(picture.file, picture);
  }
  if (pictures.size < files.length) throw new Error(`Pillow ended after ${pictures.size} of ${files.length} files.`);
  return pictures;
}

/** Compares the results of the service and of Pillow for a file; undefined if they agree or the format is not supported. */
async function differenceOf(
  theirs: PillowPicture,
  ours: AnalyzeResult,
  bench: ComputeBench,
): Promise<string | undefined> {
  if (ours.kind === 'QUARANTINED' && ['crashed', 'timed_out'].includes(ours.reason)) return ours.detail;
  if (theirs.error !== undefined || !FORMATS.has(theirs.format)) return undefined;
  if (Math.min(theirs.width, theirs.height) < MIN_SIDE) return undefined;
  if (ours.kind === 'QUARANTINED') return `${ours.reason}: ${ours.detail}`;
  if (ours.kind === 'VIDEO') return 'taken for a video';
  if (ours.width !== theirs.width || ours.height !== theirs.height) {
    return `${ours.width} x ${ours.height} instead of ${theirs.width} x ${theirs.height}`;
  }
  const difference = await pixelDifference(theirs, ours, bench);
  return difference > MAX_DIFFERENCE ? `pixels differ by ${difference.toFixed(1)}` : undefined;
}

async function pixelDifference(theirs: PillowPicture, ours: ImageAnalysis, bench: ComputeBench): Promise<number> {
  const thumbnail = sharp(await bench.stored(ours.thumbnailKey))
    .removeAlpha()
    .raw();
  const { data, info } = await thumbnail.toBuffer({ resolveWithObject: true });
  const pixels = resizeByArea({ data, width: info.width, height: info.height }, ...theirs.small).data;
  const expected = Buffer.from(theirs.pixels, 'base64');
  return pixels.reduce((sum, value, i) => sum + Math.abs(value - expected[i]!), 0) / expected.length;
}

describe('test pictures of other libraries', () => {
  it('are indexed as Pillow reads them, except for listed differences', async () => {
    const root = await fetchPictures();
    const folder = join(root, 'pictures');
    const files = await filesBelow(folder);
    const bench = await ComputeBench.open(2, {}, [folder]);
    try {
      const reading = readWithPillow(root, files);
      const analyses = new Map<string, AnalyzeResult>();
      const waiting = files.values();
      const analyze = async (): Promise<void> => {
        for (const file of waiting) {
          const source = pathToFileURL(join(folder, file)).href;
          analyses.set(file, await bench.pool.analyze({ ...bench.request('picture'), source }));
        }
      };
      await Promise.all(Array.from({ length: bench.pool.capacity }, analyze));
      const pillow = await reading;
      const differences: Record<string, string> = {};
      for (const file of files) {
        const difference = await differenceOf(pillow.get(file)!, analyses.get(file)!, bench);
        if (difference !== undefined) differences[file] = difference;
      }
      const reasons: Readonly<Record<string, string>> = accepted;
      expect(Object.entries(differences).filter(([file]) => reasons[file] === undefined)).toEqual([]);
      expect(Object.keys(reasons).filter((file) => analyses.has(file) && differences[file] === undefined)).toEqual([]);
      expect([...analyses.values()].filter(({ kind }) => kind === 'IMAGE').length).toBeGreaterThan(750);
    } finally {
      await bench.close();
    }
  }, 900_000);
});
