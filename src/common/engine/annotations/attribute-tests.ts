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
  // Decoding takes longest, and attributes with other names may be as many as annotations.
  const starts = Object.keys(tests).map((name) => Buffer.from(startOf(name)));
  const isNamed = (code: number): boolean => starts.some((start) => isAt(columns.attributeTexts, bounds[code]!, start));
  const passing = new Uint8Array(bounds.length - 1);
  await inSlices(
    passing.length,
    (start, end) => {
      for (let code = start; code < end; code++) if (isNamed(code) && passes(textAt(code))) passing[code] = 1;
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

/** How the texts of attributes with a name begin. */
const startOf = (name: string): string => `[${JSON.stringify(name)},`;

function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false;
  return true;
}

interface Range {
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
      ranges.push({ start: startOf(name), least: test[0], most: test[1] as number });
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
