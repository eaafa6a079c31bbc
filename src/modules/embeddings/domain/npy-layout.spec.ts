import { npyWith } from '../../../../test/support/npy-bytes';
import { npyLayout } from './npy-layout';

const header = (descr: string, shape: string, order = 'False'): string =>
  `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`;

describe('the layout of an .npy file', () => {
  it.each([
    ["'<f4'", { bytesEach: 4, isBigEndian: false }],
    ["'<f2'", { bytesEach: 2, isBigEndian: false }],
    ["'>f8'", { bytesEach: 8, isBigEndian: true }],
  ])('is told by its header, with numbers of %s', (descr, expected) => {
    const head = npyWith(header(descr, '(3, 5)'));
    const size = head.length + 15 * expected.bytesEach;
    expect(npyLayout(head, size)).toEqual({ rows: 3, dimension: 5, start: head.length, ...expected });
  });

  it('may have a later version, with a longer header', () => {
    const text = Buffer.from(header("'<f4'", '(1, 2)'));
    const start = Buffer.from('\x93NUMPY\x03\x00\x00\x00\x00\x00', 'latin1');
    start.writeUInt32LE(text.length, 8);
    const head = Buffer.concat([start, text]);
    expect(npyLayout(head, head.length + 8)).toMatchObject({ rows: 1, dimension: 2, start: head.length });
  });

  it.each([
    ["'<i8'", '(3, 5)', 'holds numbers of the type <i8: write float16, float32 or float64'],
    ["'|O'", '(3, 5)', 'holds numbers of the type |O: write float16, float32 or float64'],
    ["[('a', '<f4')]", '(3, 5)', 'holds numbers of the type object: write float16, float32 or float64'],
    ["'<f4'", '(3,)', 'has the shape (3,), where (media, numbers) is required'],
    ["'<f4'", '(3, 5, 2)', 'has the shape (3, 5, 2), where (media, numbers) is required'],
    ["'<f4'", '(-3, 5)', 'has the shape (-3, 5), where (media, numbers) is required'],
    ["'<f4'", '(0, 5)', 'holds no vector'],
    ["'<f4'", '(3, 0)', 'has vectors of 0 numbers, where 1 to 4096 are possible'],
    ["'<f4'", '(3, 4097)', 'has vectors of 4097 numbers, where 1 to 4096 are possible'],
    [
      "'<f4'",
      '(999999999999999, 4096)',
      'is not whole: its header says 999999999999999 vectors of 4096 numbers, which take 16383999999999984000 bytes, and 0 follow',
    ],
  ])('of %s with the shape %s is refused', (descr, shape, fault) => {
    const head = npyWith(header(descr, shape));
    expect(() => npyLayout(head, head.length)).toThrow(fault);
  });

  it('is refused in Fortran order', () => {
    expect(() => npyLayout(npyWith(header("'<f4'", '(3, 5)', 'True')), 0)).toThrow(
      'is in Fortran order: write it with numpy.ascontiguousarray',
    );
  });

  it('is refused for other files', () => {
    expect(() => npyLayout(Buffer.from('PK\x03\x04 and more than a header'), 30)).toThrow(
      'does not begin like an .npy file',
    );
    expect(() => npyLayout(Buffer.from('\x93NUMPY', 'latin1'), 6)).toThrow('does not begin like an .npy file');
    expect(() => npyLayout(npyWith('{').subarray(0, 100), 100)).toThrow('has a header that is too long');
  });
});
