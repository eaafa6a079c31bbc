import { inSlices } from '../../platform/concurrency/in-slices';
import type { AttributeValue } from './annotation';
import { textOf, textsOf, type AttributeColumns } from './attribute-columns';

/** A few milliseconds. */
const TEXTS_AT_ONCE = 2 ** 15;

/** What an attribute has to be: a value, one of some texts, or a number within inclusive bounds. */
export type AttributeTest = AttributeValue | readonly string[] | readonly [least: number, most: number];

/** By the names of attributes. */
export type AttributeTests = Readonly<Record<string, AttributeTest>>;

/** Tests whether an annotation has all of the attributes. */
export async function testOfAttributes(
  columns: AttributeColumns,
  tests: AttributeTests,
): Promise<(annotation: number) => boolean> {
  const { attributeFirsts: firsts, attributeCodes: codes, attributeBounds: bounds } = columns;
  if (firsts.length === 0) return () => false;
  const passes = testOfText(tests);
  const textAt = textsOf(columns);
  const passing = new Uint8Array(bounds.length - 1);
  await inSlices(
    passing.length,
    (start, end) => {
      for (let code = start; code < end; code++) if (passes(textAt(code))) passing[code] = 1;
    },
    TEXTS_AT_ONCE,
  );
  // An annotation has each name once.
  const wanted = Object.keys(tests).length;
  return (annotation) => {
    let found = 0;
    for (let at = firsts[annotation]!; at < firsts[annotation + 1]!; at++) found += passing[codes[at]!]!;
    return found === wanted;
  };
}

interface Range {
  /** Of the text of an attribute with this name. */
  readonly start: string;
  readonly least: number;
  readonly most: number;
}

/** Tests the text of an attribute. */
function testOfText(tests: AttributeTests): (text: string) => boolean {
  const texts = new Set<string>();
  const ranges: Range[] = [];
  for (const [name, test] of Object.entries(tests)) {
    const values: readonly AttributeValue[] = typeof test === 'object' ? test : [test];
    if (typeof test === 'object' && typeof test[0] === 'number')
      ranges.push({ start: `[${JSON.stringify(name)},`, least: test[0], most: test[1] as number });
    else for (const value of values) texts.add(textOf(name, value));
  }
  return (text) => texts.has(text) || ranges.some((range) => isWithin(text, range));
}

/** The JSON of other values than numbers is none for `Number` either. */
function isWithin(text: string, { start, least, most }: Range): boolean {
  if (!text.startsWith(start)) return false;
  const value = Number(text.slice(start.length, -1));
  return value >= least && value <= most;
}
