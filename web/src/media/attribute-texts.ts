import type { VqlFilter } from 'dataset-media-service-sdk';

export type AttributeTests = NonNullable<NonNullable<VqlFilter['labels']>['attributes']>;
export type AttributeTest = AttributeTests[string];

const SEPARATOR = '..';

/** As a number, if the text is one as it would be written. */
function numberIn(text: string): number | undefined {
  const value = Number(text);
  return text !== '' && String(value) === text && Number.isFinite(value) ? value : undefined;
}

/** What is meant by `true`, `3`, `3..10`, `red, blue`, or another text; a text in quotes is that text. */
export function testIn(written: string): AttributeTest {
  const text = written.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const bounds = text.split(SEPARATOR).map(numberIn);
  const [least, most] = bounds;
  if (least !== undefined && bounds.length === 1) return least;
  if (least !== undefined && most !== undefined && bounds.length === 2)
    return [Math.min(least, most), Math.max(least, most)];
  const several = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  return several.length > 1 ? several : text;
}

/** The text that `testIn` reads as this. */
export function textOf(test: AttributeTest): string {
  if (typeof test === 'string') return test !== '' && testIn(test) === test ? test : `"${test}"`;
  if (typeof test !== 'object') return String(test);
  return typeof test[0] === 'number' ? test.join(SEPARATOR) : test.join(', ');
}

export const writtenOf = (tests: AttributeTests): readonly (readonly [name: string, value: string])[] =>
  Object.entries(tests).map(([name, test]) => [name, textOf(test)]);

/** Whether the tests can be written as texts, and there are some. Filters that people wrote themselves may be of any shape. */
export function areWritable(tests: unknown): tests is AttributeTests {
  if (typeof tests !== 'object' || tests === null || Array.isArray(tests)) return false;
  const all = Object.values(tests as Readonly<Record<string, unknown>>);
  return (
    all.length > 0 && all.every((test) => isTest(test) && JSON.stringify(testIn(textOf(test))) === JSON.stringify(test))
  );
}

const isTest = (test: unknown): test is AttributeTest =>
  ['string', 'number', 'boolean'].includes(typeof test) ||
  (Array.isArray(test) && test.every((each) => typeof each === 'string' || typeof each === 'number'));
