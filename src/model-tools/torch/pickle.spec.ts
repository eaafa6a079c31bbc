import { pickled } from '../../../test/support/torch-files';
import { WeightsRefusedError } from '../packages/converter';
import { readPickle } from './pickle';

const { text, integer, tuple, global, call, items, file } = pickled;

function read(bytes: Buffer, globals: Readonly<Record<string, unknown>> = {}): unknown {
  return readPickle(bytes, { globals, persistent: (id) => ({ id }) }).value;
}

describe('readPickle', () => {
  it('builds numbers, texts, tuples and dicts', () => {
    const half = Buffer.alloc(9, 'G');
    half.writeDoubleBE(0.5, 1);
    const value = tuple(integer(-7), half, text('naïve'), items(Buffer.from('}'), text('k'), tuple()));
    expect(read(file(value))).toEqual([-7, 0.5, 'naïve', new Map([['k', []]])]);
  });

  it('reads a large integer as one', () => {
    expect(read(file(Buffer.of(0x8a, 2, 0, 0xff)))).toBe(-256n);
  });

  it('gives a remembered value again', () => {
    const list = Buffer.concat([Buffer.from(']q\0(K\x01K\x02eh\0'), Buffer.of(0x86)]);
    const [first, second] = read(file(list)) as [unknown, unknown];
    expect(first).toEqual([1, 2]);
    expect(second).toBe(first);
  });

  it('calls only what it is given', () => {
    const sum = (args: readonly unknown[]): number => (args as number[]).reduce((a, b) => a + b);
    const bytes = file(call(global('math', 'sum'), tuple(integer(1), integer(2))));
    expect(read(bytes, { 'math sum': sum })).toBe(3);
    for (const [module, name] of [
      ['os', 'system'],
      ['builtins', 'eval'],
      ['math', 'toString'],
      ['', '__proto__'],
    ] as const) {
      const hostile = file(call(global(module, name), tuple(text('touch /tmp/hostile'))));
      expect(() => read(hostile, { 'math sum': sum })).toThrow(WeightsRefusedError);
      expect(() => read(hostile)).toThrow(JSON.stringify(`${module} ${name}`));
    }
  });

  it.each([
    ['an instruction that torch does not write', Buffer.from('i')],
    ['a call of a value', call(integer(1), tuple())],
    ['a dict with a key alone', items(Buffer.from('}'), text('k'))],
    ['items for a text', items(text('no dict'), text('k'), text('v'))],
    ['a mark that is missing', Buffer.from('t')],
    ['a value that is missing', Buffer.of(0x85)],
    ['a reference without a target', Buffer.from('h\0')],
    ['a text that is longer than the file', Buffer.from('X\xff\xff\xff\x7fabc', 'latin1')],
    ['a name without an end', Buffer.from('cos')],
    ['another protocol', Buffer.of(0x80, 4)],
  ])('refuses %s', (_, body) => {
    expect(() => read(file(body))).toThrow(WeightsRefusedError);
  });

  it('refuses a description that would need much memory', () => {
    expect(() => read(file(Buffer.alloc(20_000_000, '}')))).toThrow('its description is too long');
  });
});
