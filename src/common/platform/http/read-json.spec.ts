import { parseJson } from './json-body.interceptor';
import { ValidationFailedError } from './zod-validation.pipe';

const refusal = (text: string | Uint8Array): string => {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    return (error as ValidationFailedError).items[0]!.msg;
  }
  return 'taken';
};

it.each([
  ['{"a":[1,{"b":"[[[[\\"{{{{"}]}', { a: [1, { b: '[[[["{{{{' }] }],
  ['"é\\\\"', 'é\\'],
  [`${'['.repeat(32)}${']'.repeat(32)}`, expect.anything()],
  [`[${'"[{",'.repeat(30_000)}1]`, expect.anything()],
])('reads %.40s', (text, value) => expect(parseJson(Buffer.from(text))).toEqual(value));

it.each([
  ['{', 'The body is not valid JSON'],
  ['"\\', 'The body is not valid JSON'],
  [new Uint8Array([0x22, 0xc3, 0x22]), 'The body is not valid JSON'],
  ['['.repeat(33), 'The body nests deeper than 32 levels'],
  ['{"a":'.repeat(3_000_000), 'The body nests deeper than 32 levels'],
  [`[${'[],'.repeat(20_000)}1]`, 'The body holds more than 20000 objects and lists'],
])('refuses %.40s', (text, msg) => expect(refusal(text)).toBe(msg));
