import fc from 'fast-check';
import { JsonListScanner, WHOLE_LIST } from './json-list-scanner';

function scan(text: string, chunkBytes: number): unknown[] {
  const found: unknown[] = [];
  const scanner = new JsonListScanner(['a', 'b'], (list, value) => found.push([list, value]));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) scanner.write(bytes.subarray(at, at + chunkBytes));
  scanner.end();
  return found;
}

describe('JsonListScanner', () => {
  it('emits requested lists element by element', () => {
    const text = '{"x":{"a":[1]},"a":[{"k":[1,{"a":["]"]}]}, "t\\"],", null ,7],"c":[[1]],"b":[[],[2]],"d":"a"}';
    expect(scan(text, 1)).toEqual([
      ['a', { k: [1, { a: [']'] }] }],
      ['a', 't"],'],
      ['a', null],
      ['a', 7],
      ['b', []],
      ['b', [2]],
    ]);
  });

  it('finds names with escapes, and ignores lists inside strings', () => {
    expect(scan('{"\\u0061":[1],"b":"[2]"}', 3)).toEqual([['a', 1]]);
  });

  it('emits the elements of a file that is a list, and objects as a whole', () => {
    const found: unknown[] = [];
    const take = (list: string, value: unknown): void => void found.push([list, value]);
    const ofList = new JsonListScanner([WHOLE_LIST], take);
    for (const byte of Buffer.from(' [{"a":[1]}, 2, "x"] ')) ofList.write(Buffer.of(byte));
    ofList.end();
    const ofObject = new JsonListScanner(['a'], take, ['b']);
    for (const byte of Buffer.from('{"b":{"a":[{"c":"}"}]},"a":[1]}')) ofObject.write(Buffer.of(byte));
    ofObject.end();
    expect(found).toEqual([
      [WHOLE_LIST, { a: [1] }],
      [WHOLE_LIST, 2],
      [WHOLE_LIST, 'x'],
      ['b', { a: [{ c: '}' }] }],
      ['a', 1],
    ]);
    expect(() => new JsonListScanner(['a'], take).write(Buffer.from('[1]'))).toThrow('not one JSON object');
  });

  it('agrees with JSON.parse for any chunks and formatting', () => {
    const element = fc.jsonValue({ noUnicodeString: false });
    const content = fc.record({
      before: element,
      a: fc.array(element),
      between: element,
      b: fc.array(element),
      after: element,
    });
    fc.assert(
      fc.property(
        content,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 2, '\t'),
        (object, chunkBytes, space) => {
          const text = JSON.stringify(object, null, space);
          const { a, b } = JSON.parse(text) as { a: unknown[]; b: unknown[] };
          expect(scan(text, chunkBytes)).toEqual([
            ...a.map((value) => ['a', value]),
            ...b.map((value) => ['b', value]),
          ]);
        },
      ),
    );
  });
});
