import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { Random } from '../test/support/random';
import type { Bench, Report } from './bench';
import { photograph } from './support/photographs';
import {
  type Drawn,
  ErrorRate,
  escaped,
  lineOf,
  pixelsOf,
  type Reader,
  svgOf,
  vocabulary,
  withReader,
} from './support/printed-pages';

/** Reads the pages of so many fonts only. */
const MOST_FONTS = Number(process.env['FONTS'] ?? 20);
const ALL_FONTS = [
  ...['DejaVu Sans', 'Liberation Sans', 'Roboto', 'Open Sans', 'Lato', 'Carlito', 'Cantarell', 'Noto Sans', 'Cabin'],
  ...['DejaVu Serif', 'Liberation Serif', 'Caladea', 'EB Garamond', 'Linux Libertine O', 'Noto Serif', 'URW Bookman'],
  ...['DejaVu Sans Mono', 'Liberation Mono', 'Fira Code', 'Courier Prime'],
];
/** Evenly from all of them. */
const FONTS = Array.from(
  { length: MOST_FONTS },
  (_, nth) => ALL_FONTS[Math.floor((nth * ALL_FONTS.length) / MOST_FONTS)]!,
);
const PACKAGES =
  'fonts-dejavu-core fonts-dejavu-extra fonts-liberation fonts-roboto fonts-open-sans fonts-lato fonts-crosextra-carlito fonts-crosextra-caladea fonts-cantarell fonts-noto-core fonts-cabin fonts-ebgaramond fonts-linuxlibertine fonts-urw-base35 fonts-firacode fonts-courier-prime';
const ANGLES = [0, 5, 10, 15];
const PAGE = { width: 1240, height: 1754 };
const PHOTOGRAPH = { width: 1200, height: 800 };
const MARGIN = 100;
/** Of the lines of a page, in pixels: a heading, and text of three sizes. */
const SIZES = [48, ...Array<number>(8).fill(30), ...Array<number>(10).fill(24), ...Array<number>(12).fill(18)];
const SIGNS_PER_PHOTOGRAPH = 4;

function page(font: string, words: readonly string[], random: Random): Drawn {
  const lines: string[] = [];
  let y = MARGIN;
  const texts = SIZES.map((size) => {
    y += size * 1.5;
    // The widest of the fonts have 0.64 of the size on average.
    const line = lineOf(words, random, Math.floor((PAGE.width - 2 * MARGIN) / (size * 0.64)));
    lines.push(line);
    return `<text x="${MARGIN}" y="${y}" font-family="${font}" font-size="${size}">${escaped(line)}</text>`;
  });
  return { lines, svg: svgOf(PAGE, `<rect width="100%" height="100%" fill="#fff"/>${texts.join('')}`) };
}

/** Few words in large letters, as on signs. */
function signs(font: string, words: readonly string[], random: Random): Drawn {
  const lines: string[] = [];
  const texts = Array.from({ length: SIGNS_PER_PHOTOGRAPH }, (_, nth) => {
    const size = random.between(28, 60);
    const line = lineOf(words, random, 16);
    lines.push(line);
    const place = `x="${random.between(40, 300)}" y="${((nth + 0.6) * PHOTOGRAPH.height) / SIGNS_PER_PHOTOGRAPH}"`;
    const style = 'fill="#fff" stroke="#000" stroke-width="3" paint-order="stroke"';
    return `<text ${place} font-family="${font}" font-size="${size}" ${style}>${escaped(line)}</text>`;
  });
  return { lines, svg: svgOf(PHOTOGRAPH, texts.join('')) };
}

function assertFonts(): void {
  const known = execFileSync('fc-list', [':', 'family'], { encoding: 'utf8' }).split(/[\n,]/u);
  const missing = FONTS.filter((font) => !known.includes(font));
  if (missing.length > 0)
    throw new Error(`The fonts ${missing.join(', ')} are missing: apt-get install fontconfig ${PACKAGES}`);
}

async function readPages(report: Report, read: Reader, longestSide: number, words: readonly string[]): Promise<void> {
  const rates = new Map(ANGLES.map((angle) => [angle, new ErrorRate()]));
  const onPhotographs = new ErrorRate();
  const rows: Record<string, string>[] = [];
  let [ms, pages] = [0, 0];
  for (const [nth, font] of FONTS.entries()) {
    const random = new Random(71, nth);
    const { lines, svg } = page(font, words, random);
    const row: Record<string, string> = { font };
    for (const [angle, rate] of rates) {
      const upright = sharp(Buffer.from(svg)).flatten({ background: '#fff' });
      const pixels = await pixelsOf(angle === 0 ? upright : upright.rotate(angle, { background: '#fff' }), longestSide);
      const begun = performance.now();
      const found = await read(pixels);
      ms += performance.now() - begun;
      pages += 1;
      row[`${angle} degrees`] = rate.add(lines, found).toFixed(4);
    }
    const sign = signs(font, words, random);
    const behind = photograph(72, nth, PHOTOGRAPH.width, PHOTOGRAPH.height);
    const picture = sharp(behind.data, { raw: { ...PHOTOGRAPH, channels: 3 } }).composite([
      { input: Buffer.from(sign.svg) },
    ]);
    const found = await read(await pixelsOf(sharp(await picture.png().toBuffer()), longestSide));
    row['photograph'] = onPhotographs.add(sign.lines, found).toFixed(4);
    rows.push(row);
  }
  report.table(rows);
  for (const [angle, { value }] of rates)
    report.figure(
      `characters wrong on pages at ${angle} degrees`,
      value,
      '',
      angle === 0 ? '<0.05' : '<0.1',
      value < (angle === 0 ? 0.05 : 0.1),
    );
  report.figure('characters wrong on photographs', onPhotographs.value, '', '<0.1', onPhotographs.value < 0.1);
  report.note(`${(ms / pages / 1000).toFixed(2)} s a page of ${SIZES.length} lines, on one thread`);
}

async function readWithoutText(report: Report, read: Reader): Promise<void> {
  let lines = 0;
  const pictures = 40;
  for (let index = 0; index < pictures; index++) lines += (await read(photograph(73, index * 5))).length;
  report.figure(
    'lines read in photographs without text, per picture',
    lines / pictures,
    '',
    '<0.1',
    lines / pictures < 0.1,
  );
}

async function run(report: Report): Promise<void> {
  assertFonts();
  await withReader(async (read, longestSide) => {
    await readPages(report, read, longestSide, await vocabulary());
    await readWithoutText(report, read);
  });
}

export const bench: Bench = {
  name: 'text-recognition',
  summary:
    'characters read wrongly on pages in twenty fonts, straight and rotated, and on photographs, by the model in the folder MODEL',
  run,
};
