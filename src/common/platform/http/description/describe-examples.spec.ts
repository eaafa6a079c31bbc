import type { OpenAPIObject } from '@nestjs/swagger';
import { describeExamples } from './describe-examples';

const $ref = '#/components/schemas/Tag';
const tag = { id: 'a1', name: 'Checked' };
const text = { type: 'string' };

/** The example of a response with the given schema. */
function exampleOf(schema: object): unknown {
  const media: { schema: object; example?: unknown } = { schema };
  const document = {
    paths: { '/': { get: { responses: { 200: { content: { 'application/json': media } } } } } },
    components: { schemas: { Tag: { type: 'object', properties: { id: text, name: text }, example: tag } } },
  };
  describeExamples(document as unknown as OpenAPIObject);
  expect(JSON.stringify([media.schema, document.components])).not.toContain('"example"');
  return media.example;
}

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

describe('the example of a response', () => {
  it.each([
    ['is that of its schema', { ...text, example: 'a' }, 'a'],
    ['is that of a named schema', { $ref }, tag],
    ['has the example of an item', { type: 'array', items: { $ref } }, [tag]],
    [
      'has the examples of required properties',
      object({ first: { $ref }, end: { type: 'null' } }),
      { first: tag, end: null },
    ],
    [
      'has its own values for the others',
      object({ tags: { type: 'array', items: { $ref } }, total: { type: 'integer' } }, { example: { total: 1 } }),
      { tags: [tag], total: 1 },
    ],
    ['has fixed values', object({ kind: { ...text, enum: ['tag'] } }), { kind: 'tag' }],
    ['is that of an alternative', { anyOf: [text, { $ref }] }, tag],
    ['is missing where a required property has none', object({ tag: { $ref }, total: { type: 'integer' } }), undefined],
  ])('%s', (_, schema, expected) => expect(exampleOf(schema)).toEqual(expected));

  it('leaves out optional properties', () => {
    expect(exampleOf({ type: 'object', properties: { a: { $ref }, b: { $ref } }, required: ['a'] })).toEqual({
      a: tag,
    });
  });
});
