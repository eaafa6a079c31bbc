import type { Annotation, AttributeValue } from './annotation';

/** What an attribute has to be: a value, one of some texts, or a number within inclusive bounds. */
export type AttributeTest = AttributeValue | readonly string[] | readonly [least: number, most: number];

/** By the names of attributes. */
export type AttributeTests = Readonly<Record<string, AttributeTest>>;

/** Whether an annotation has all of the attributes. */
export function hasAttributes({ attributes = {} }: Pick<Annotation, 'attributes'>, tests: AttributeTests): boolean {
  return Object.entries(tests).every(
    ([name, test]) => Object.hasOwn(attributes, name) && passes(attributes[name]!, test),
  );
}

function passes(value: AttributeValue, test: AttributeTest): boolean {
  if (typeof test !== 'object') return value === test;
  const [least, most] = test;
  if (typeof least === 'number') return typeof value === 'number' && value >= least && value <= (most as number);
  return (test as readonly AttributeValue[]).includes(value);
}
