import { inReadingOrder } from './reading-order';

interface Placed {
  readonly name: string;
  readonly text: string;
  readonly rectangle: { readonly x: number; readonly y: number; width: number; height: number; angle: number };
}

const line = (name: string, x: number, y: number, width = 100, text = 'one'): Placed => ({
  name,
  text,
  rectangle: { x, y, width, height: 20, angle: 0 },
});

const rotated = ({ name, text, rectangle }: Placed, angle: number): Placed => {
  const { x, y } = rectangle;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { name, text, rectangle: { ...rectangle, x: x * cos - y * sin, y: x * sin + y * cos, angle } };
};

const PAGE = [
  line('right', 300, 104),
  line('last', 80, 160),
  line('first', 150, 10, 300),
  line('left', 80, 98),
  line('middle', 190, 101),
  line('second', 150, 40, 300),
];
const ORDER = ['first', 'second', 'left', 'middle', 'right', 'last'];

describe('the order of lines', () => {
  it('is from top to bottom, and from left to right in a row', () => {
    expect(inReadingOrder(PAGE).map(({ name }) => name)).toEqual(ORDER);
    expect(inReadingOrder([])).toEqual([]);
  });

  it.each([-0.5, -0.2, 0.1, 0.26, 0.6, Math.PI])('is the same on a page that is rotated by %s', (angle) => {
    const page = PAGE.map((each) => rotated(each, angle));
    expect(inReadingOrder(page).map(({ name }) => name)).toEqual(ORDER);
  });

  it('follows the long lines, not a short one in another direction', () => {
    const page = [...PAGE.map((each) => rotated(each, 0.2)), { ...line('stamp', 0, -400, 30) }];
    expect(inReadingOrder(page).map(({ name }) => name)).toEqual(['stamp', ...ORDER]);
  });

  const column = (name: string, x: number, first: number, rows: number, width = 300): Placed[] =>
    // The last line of a paragraph is short.
    Array.from({ length: rows }, (_, row) => {
      const length = row % 5 === 4 ? width / 3 : width - (row % 3) * 10;
      return line(`${name} ${row}`, x + length / 2, first + row * 30, length, 'some words of text');
    });
  const shuffled = (page: readonly Placed[]): Placed[] =>
    page
      .map((each, at) => ({ each, key: (at * 7919) % 101 }))
      .sort((a, b) => a.key - b.key)
      .map(({ each }) => each);
  const table = (x: number, first: number): Placed[] =>
    Array.from({ length: 6 }, (_, row) =>
      ['name', 'number', 'note'].map((cell, at) =>
        line(`${cell} ${row}`, x + at * 200 + 40 + row * 3, first + row * 40 + at, 80 + row * 6),
      ),
    ).flat();

  const PAGES: Readonly<Record<string, readonly Placed[]>> = {
    'one column': column('only', 0, 0, 12),
    'two columns on the same lines': [...column('left', 0, 0, 12), ...column('right', 340, 0, 12)],
    'two columns on other lines': [...column('left', 0, 0, 12), ...column('right', 340, 13, 9)],
    'three columns': [...column('a', 0, 0, 9), ...column('b', 340, 7, 9), ...column('c', 680, 0, 8)],
    'two columns between a title and a footer': [
      line('title', 320, -60, 500),
      ...column('left', 0, 0, 8),
      ...column('right', 340, 0, 8),
      line('footer', 320, 300, 600),
    ],
    'columns, text across them, and columns': [
      ...column('a', 0, 0, 5),
      ...column('b', 340, 0, 5),
      line('between', 320, 180, 640),
      ...column('c', 0, 230, 5),
      ...column('d', 340, 230, 5),
    ],
    'two columns above three': [
      ...column('a', 0, 0, 6, 460),
      ...column('b', 500, 0, 6, 460),
      ...column('c', 0, 220, 6),
      ...column('d', 330, 220, 6),
      ...column('e', 660, 220, 6),
    ],
    'a table': table(0, 0),
    'a table of numbers of the same length': Array.from({ length: 8 }, (_, row) => [
      line(`time ${row}`, 70, row * 30, 140, '87 71.64777'),
      line(`from ${row}`, 230, row * 30, 140, '192.168.122.60'),
      line(`to ${row}`, 390, row * 30, 140, '192.168.122.1'),
    ]).flat(),
    'a table below two columns': [...column('left', 0, 0, 7), ...column('right', 340, 0, 7), ...table(20, 300)],
    'questions and short answers': Array.from({ length: 5 }, (_, row) => [
      line(`question ${row}`, 150, row * 30, 300),
      line(`answer ${row}`, 400, row * 30, 60),
    ]).flat(),
  };

  describe.each(Object.entries(PAGES))('of %s', (_, page) => {
    it.each([0, -0.06, 0.1, Math.PI])('is by column or row where the page is rotated by %s', (angle) => {
      const turned = shuffled(page).map((each) => rotated(each, angle));
      expect(inReadingOrder(turned).map(({ name }) => name)).toEqual(page.map(({ name }) => name));
    });
  });

  it('takes no long time for a picture full of scattered lines', () => {
    const scattered = Array.from({ length: 400 }, (_, at) =>
      line(`${at}`, ((at * 7919) % 400) * 5, ((at * 104_729) % 401) * 5, 60 + (at % 17) * 10),
    );
    expect(new Set(inReadingOrder(scattered)).size).toBe(400);
  });
});
