import { inReadingOrder } from './reading-order';

interface Placed {
  readonly name: string;
  readonly rectangle: { readonly x: number; readonly y: number; width: number; height: number; angle: number };
}

const line = (name: string, x: number, y: number, width = 100): Placed => ({
  name,
  rectangle: { x, y, width, height: 20, angle: 0 },
});

const rotated = ({ name, rectangle }: Placed, angle: number): Placed => {
  const { x, y } = rectangle;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { name, rectangle: { ...rectangle, x: x * cos - y * sin, y: x * sin + y * cos, angle } };
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
});
