import fc from 'fast-check';
import type { Annotation, AttributeValue } from './annotation';
import { AttributesBuilder, NO_ATTRIBUTES } from './attribute-columns';
import { testOfAttributes, type AttributeTest, type AttributeTests } from './attribute-tests';

type Attributes = Required<Annotation>['attributes'];

async function passing(lists: readonly (Attributes | undefined)[], tests: AttributeTests): Promise<boolean[]> {
  const builder = new AttributesBuilder();
  for (const attributes of lists) builder.add(attributes === undefined ? {} : { attributes });
  const passes = await testOfAttributes(builder.build(), tests);
  return lists.map((_, annotation) => passes(annotation));
}

describe('the attributes of an annotation', () => {
  const attributes = { occluded: true, age: 7, colour: 'red', size: '7' };

  it.each<[AttributeTests, boolean]>([
    [{ occluded: true }, true],
    [{ occluded: false }, false],
    [{ occluded: 'true' }, false],
    [{ age: 7 }, true],
    [{ age: '7' }, false],
    [{ size: 7 }, false],
    [{ age: [7, 7] }, true],
    [{ age: [7.5, 9] }, false],
    [{ size: [0, 9] }, false],
    [{ occluded: [0, 1] }, false],
    [{ colour: ['blue', 'red'] }, true],
    [{ colour: ['Red'] }, false],
    [{ occluded: ['true'] }, false],
    [{ occluded: true, colour: 'blue' }, false],
    [{ occluded: true, colour: 'red', age: [0, 9] }, true],
    [{ constructor: 'red' }, false],
    [{ toString: ['x'] }, false],
  ])('pass %j: %s', async (tests, expected) => {
    expect(await passing([undefined, attributes, {}], tests)).toEqual([false, expected, false]);
    expect((await testOfAttributes(NO_ATTRIBUTES, tests))(0)).toBe(false);
  });

  it('pass as if each was compared by itself', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(given, { nil: undefined })), tested, async (lists, tests) => {
        expect(await passing(lists, tests)).toEqual(lists.map((each = {}) => hasAll(each, tests)));
      }),
      { numRuns: 1_000 },
    ));

  it('may all be different', async () => {
    const lists = Array.from({ length: 100_000 }, (_, at) => ({ number: at, name: `${at}` }));
    const found = await passing(lists, { number: [70_000, 70_001], name: ['70001', '70002'] });
    expect(found.flatMap((each, at) => (each ? [at] : []))).toEqual([70_001]);
  });
});

/** Includes names and values that JSON has to escape, and whose texts begin alike. */
const name = fc.constantFrom('a', 'a"', 'a",1', '', '__proto__', 'constructor', 'ä\n', '\ud800');
const value: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.constantFrom<AttributeValue>('7', 7, true, 'true', '', '"', '7]', -1e-300, 1e21, '\udc00', 'x'.repeat(1_000)),
  fc.integer({ min: -3, max: 9 }),
);
/** As they are stored. */
const given = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs) => `{${pairs.map((pair) => pair.map((each) => JSON.stringify(each)).join(':')).join()}}`)
  .map((json) => JSON.parse(json) as Attributes);
const test: fc.Arbitrary<AttributeTest> = fc.oneof(
  value,
  fc.array(fc.constantFrom('7', 'true', '"', 'x'.repeat(1_000)), { minLength: 1, maxLength: 3 }),
  fc.tuple(fc.integer({ min: -3, max: 9 }), fc.integer({ min: -3, max: 9 })),
);
const tested = fc
  .uniqueArray(fc.tuple(name, test), { minLength: 1, maxLength: 3, selector: ([each]) => each })
  .map((pairs) => Object.fromEntries(pairs));

const hasAll = (attributes: Attributes, tests: AttributeTests): boolean =>
  Object.entries(tests).every(([each, of]) => Object.hasOwn(attributes, each) && isAs(attributes[each]!, of));

function isAs(own: AttributeValue, of: AttributeTest): boolean {
  if (typeof of !== 'object') return own === of;
  const [least, most] = of;
  if (typeof least !== 'number') return (of as readonly AttributeValue[]).includes(own);
  return typeof own === 'number' && own >= least && own <= (most as number);
}
