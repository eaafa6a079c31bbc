import sharp from 'sharp';
import { Random } from '../test/support/random';
import type { Bench, Report } from './bench';
import {
  type Drawn,
  ErrorRate,
  escaped,
  lineOf,
  pixelsOf,
  svgOf,
  vocabulary,
  withReader,
} from './support/printed-pages';

const FONT = 'DejaVu Serif';
const ANGLES = [0, 3, -5];
const PAGE = { width: 1240, height: 1000 };
const MARGIN = 80;
const GUTTER = 50;
const [SIZE, PITCH] = [24, 36];
/** The widest of letters have this share of their height, on average. */
const LETTER = 0.62;
const ROWS = 18;
const CELLS = [
  { left: 0, characters: 12 },
  { left: 330, characters: 18 },
  { left: 760, characters: 10 },
];

/** Lines as they are read, and their places. */
type Placed = readonly (readonly [line: string, x: number, y: number])[];

function drawn(placed: Placed): Drawn {
  const texts = placed.map(
    ([line, x, y]) => `<text x="${x}" y="${y}" font-family="${FONT}" font-size="${SIZE}">${escaped(line)}</text>`,
  );
  return {
    lines: placed.map(([line]) => line),
    svg: svgOf(PAGE, `<rect width="100%" height="100%" fill="#fff"/>${texts.join('')}`),
  };
}

/** A title, and columns of text whose lines lie beside each other or not. */
function columns(count: number, words: readonly string[], random: Random): Drawn {
  const width = (PAGE.width - 2 * MARGIN - (count - 1) * GUTTER) / count;
  const inColumn = Math.floor(width / (SIZE * LETTER));
  const title = [lineOf(words, random, Math.floor((PAGE.width - 2 * MARGIN) / (SIZE * LETTER))), MARGIN, 100] as const;
  const texts = Array.from({ length: count }, (_, column) => {
    const offset = random.next() < 0.5 ? 0 : random.integer(PITCH);
    return Array.from({ length: ROWS }, (__, row) => {
      const characters = row % 6 === 5 ? Math.floor(inColumn / 2) : inColumn;
      const line = lineOf(words, random, characters);
      return [line, MARGIN + column * (width + GUTTER), 180 + offset + row * PITCH] as const;
    });
  });
  return drawn([title, ...texts.flat()]);
}

function table(words: readonly string[], random: Random): Drawn {
  return drawn(
    Array.from({ length: ROWS }, (_, row) =>
      CELLS.map(
        ({ left, characters }) => [lineOf(words, random, characters), MARGIN + left, 120 + row * PITCH * 1.2] as const,
      ),
    ).flat(),
  );
}

async function run(report: Report): Promise<void> {
  const words = (await vocabulary()).filter(({ length }) => length < 9);
  const layouts: Readonly<Record<string, (random: Random) => Drawn>> = {
    'one column': (random) => columns(1, words, random),
    'two columns': (random) => columns(2, words, random),
    'three columns': (random) => columns(3, words, random),
    'a table': (random) => table(words, random),
  };
  await withReader(async (read, longestSide) => {
    for (const [name, draw] of Object.entries(layouts)) {
      const rate = new ErrorRate();
      for (const [nth, angle] of ANGLES.entries()) {
        const { lines, svg } = draw(new Random(74, nth));
        const upright = sharp(Buffer.from(svg)).flatten({ background: '#fff' });
        const page = angle === 0 ? upright : upright.rotate(angle, { background: '#fff' });
        rate.add(lines, await read(await pixelsOf(page, longestSide)));
      }
      report.figure(`characters wrong or out of order: ${name}`, rate.value, '', '<0.05', rate.value < 0.05);
    }
  });
}

export const bench: Bench = {
  name: 'reading-order',
  summary:
    'characters read wrongly or out of order on pages with one, two and three columns and with a table, straight and rotated, by the model in the folder MODEL',
  run,
};
