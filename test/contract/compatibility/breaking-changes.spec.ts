import { announcesBreaking, breakingChanges, type Description } from './operation-changes';

interface Parts {
  readonly operation?: object;
  readonly parameters?: readonly object[];
  readonly body?: object;
  readonly answer?: object;
  readonly schemas?: object;
}

const AT = 'GET /things';
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const limit = (more: object = {}) => ({ in: 'query', name: 'limit', schema: { type: 'integer' }, ...more });
const text = { type: 'string' };
const number = { type: 'number' };

function described({ operation, parameters, body, answer, schemas = {} }: Parts): Description {
  return {
    info: { version: '1.0.0' },
    security: [{ key: [] }],
    paths: {
      '/things': {
        get: {
          operationId: 'thingList',
          parameters,
          ...(body === undefined ? {} : { requestBody: json(body) }),
          responses: {
            200: answer === undefined ? {} : json(answer),
            404: { $ref: '#/components/responses/NotFound' },
          },
          ...operation,
        },
      },
    },
    components: {
      schemas,
      responses: { NotFound: json(object({ detail: text })) },
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  } as Description;
}

const changes = (before: Parts, after: Parts): string[] => breakingChanges(described(before), described(after));
const ofBody = (before: object, after: object): string[] => changes({ body: before }, { body: after });
const ofAnswer = (before: object, after: object): string[] => changes({ answer: before }, { answer: after });

const body = `${AT} body`;
const answer = `${AT} 200`;

describe('a change of an operation breaks clients', () => {
  it.each<[string, Parts, Parts, string]>([
    ['with another id', {}, { operation: { operationId: 'things' } }, `${AT}: the operation thingList is now things`],
    ['without a parameter', { parameters: [limit()] }, {}, `${AT}?limit: is gone`],
    ['with a new required parameter', {}, { parameters: [limit({ required: true })] }, `${AT}?limit: is now required`],
    [
      'with a parameter that becomes required',
      { parameters: [limit()] },
      { parameters: [limit({ required: true })] },
      `${AT}?limit: is now required`,
    ],
    [
      'with a parameter of another format',
      { parameters: [limit()] },
      { parameters: [limit({ schema: undefined, ...json(text) })] },
      `${AT}?limit: is no longer plain text`,
    ],
    [
      'with a body that becomes required',
      {},
      { operation: { requestBody: { required: true, ...json(text) } } },
      `${body}: is now required`,
    ],
    ['without its body', { body: text }, {}, `${body}: is no longer application/json`],
    ['without a status', {}, { operation: { responses: { 202: {} } } }, `${answer}: is gone`],
    [
      'with a response of another type',
      { answer: text },
      { operation: { responses: { 200: { content: { 'text/csv': {} } } } } },
      `${answer}: is no longer application/json`,
    ],
    [
      'without a kind of credentials',
      { operation: { security: [{ key: [] }, { session: [] }] } },
      {},
      `${AT}: no longer accepts session`,
    ],
    ['that needs credentials', { operation: { security: [] } }, {}, `${AT}: needs credentials now`],
  ])('%s', (_, before, after, problem) => expect(changes(before, after)).toEqual([problem]));

  it('that was removed', () => {
    const before = described({});
    expect(breakingChanges(before, { ...before, paths: {} })).toEqual([`${AT}: is gone`]);
  });

  it('with other credentials', () => {
    const before = described({});
    const securitySchemes = { key: { type: 'apiKey' } };
    const after = { ...before, components: { ...before.components, securitySchemes } };
    expect(breakingChanges(before, after)).toEqual(['credentials key: changed or gone']);
  });

  it('with errors of another format', () => {
    const before = described({});
    const responses = { NotFound: json(object({ message: text })) };
    const after = { ...before, components: { ...before.components, responses } };
    expect(breakingChanges(before, after as Description)).toEqual([`${AT} 404.detail: is gone`]);
  });
});

describe('a change of a request breaks clients', () => {
  it.each<[string, object, object, string]>([
    ['of another type', text, number, `${body}: the type was string and is number`],
    ['of a narrower type', number, { type: 'integer' }, `${body}: the type was number and is integer`],
    ['without a property', object({ a: text }), object({}), `${body}.a: is gone`],
    [
      'with a new required property',
      object({}),
      object({ a: text }, { required: ['a'] }),
      `${body}.a: is now required`,
    ],
    [
      'with a property that becomes required',
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      `${body}.a: is now required`,
    ],
    [
      'without properties of any name',
      object({}),
      object({}, { additionalProperties: false }),
      `${body}: has no properties of any name now`,
    ],
    [
      'with properties of another type',
      object({}, { additionalProperties: text }),
      object({}, { additionalProperties: number }),
      `${body}.*: the type was string and is number`,
    ],
    ['without a value', { enum: ['a', 'b'] }, { enum: ['a'] }, `${body}: the value "b" is gone`],
    ['with listed values only', text, { ...text, enum: ['a'] }, `${body}: accepts only a now`],
    [
      'with other items',
      { type: 'array', items: text },
      { type: 'array', items: number },
      `${body}[]: the type was string and is number`,
    ],
    ['with a higher minimum', { ...number, minimum: 1 }, { ...number, minimum: 2 }, `${body}: minimum was 1 and is 2`],
    ['with a new limit', text, { ...text, maxLength: 9 }, `${body}: maxLength was absent and is 9`],
    ['with a pattern', text, { ...text, pattern: '^a' }, `${body}: pattern was absent and is "^a"`],
    [
      'with another default',
      { ...text, default: 'a' },
      { ...text, default: 'b' },
      `${body}: default was "a" and is "b"`,
    ],
    ['that may not be null', { type: ['string', 'null'] }, text, `${body}: no longer accepts null`],
    ['without an alternative', { oneOf: [text, number] }, text, `${body}: no longer accepts number`],
    [
      'with another alternative',
      { oneOf: [object({ op: { enum: ['a'] }, b: text }), text] },
      { oneOf: [object({ op: { enum: ['a'] } }), text] },
      `${body}.b: is gone`,
    ],
  ])('%s', (_, before, after, problem) => expect(ofBody(before, after)).toEqual([problem]));

  it('in a recursive schema, and is reported once', () => {
    const node = (more: object) => ({
      Node: object({ next: { $ref: '#/components/schemas/Node' }, ...more }),
    });
    const holder = { $ref: '#/components/schemas/Node' };
    const body = object({ one: holder, two: holder });
    expect(changes({ body, schemas: node({ a: text }) }, { body, schemas: node({}) })).toEqual([
      'Node in a request.a: is gone',
    ]);
  });
});

describe('a change of a response breaks clients', () => {
  it.each<[string, object, object, string]>([
    ['of another type', text, number, `${answer}: the type was string and is number`],
    ['of a wider type', { type: 'integer' }, number, `${answer}: the type was integer and is number`],
    ['without a property', object({ a: text }), object({}), `${answer}.a: is gone`],
    [
      'with a property that may be missing',
      object({ a: text }, { required: ['a'] }),
      object({ a: text }),
      `${answer}.a: may now be missing`,
    ],
    ['without a value', { enum: ['a', 'b'] }, { enum: ['a'] }, `${answer}: the value "b" is gone`],
    ['with any value', { ...text, enum: ['a'] }, text, `${answer}: may now have any value`],
    ['that may be null', text, { type: ['string', 'null'] }, `${answer}: may now be null`],
    ['without a limit', { ...number, maximum: 1 }, number, `${answer}: maximum was 1 and is absent`],
    ['of another format', { ...text, format: 'uuid' }, text, `${answer}: format was "uuid" and is absent`],
  ])('%s', (_, before, after, problem) => expect(ofAnswer(before, after)).toEqual([problem]));
});

describe('clients are compatible with', () => {
  it.each<[string, Parts, Parts]>([
    ['a response of which more is said', { answer: {} }, { answer: object({}, { additionalProperties: false }) }],
    ['other texts', { body: { ...text, description: 'a' } }, { body: { ...text, description: 'b' } }],
    ['a new optional parameter', {}, { parameters: [limit()] }],
    ['a parameter that becomes optional', { parameters: [limit({ required: true })] }, { parameters: [limit()] }],
    ['an operation that needs no credentials', {}, { operation: { security: [] } }],
    ['a new optional property of a request', { body: object({}) }, { body: object({ a: text }) }],
    ['a new value of a request', { body: { enum: ['a'] } }, { body: { enum: ['a', 'b'] } }],
    ['a wider type of a request', { body: { type: 'integer' } }, { body: number }],
    ['a new alternative of a request', { body: text }, { body: { anyOf: [text, number] } }],
    ['a lower minimum of a request', { body: { ...number, minimum: 2 } }, { body: { ...number, minimum: 1 } }],
    [
      'a new property of a response',
      { answer: object({}, { additionalProperties: false }) },
      { answer: object({ a: text }, { required: ['a'], additionalProperties: false }) },
    ],
    ['a new value of a response', { answer: { enum: ['a'] } }, { answer: { enum: ['a', 'b'] } }],
    ['an alternative less in a response', { answer: { oneOf: [text, number] } }, { answer: text }],
    [
      'a schema that gets a name',
      { body: object({ a: text }) },
      { body: { $ref: '#/components/schemas/A' }, schemas: { A: object({ a: text }) } },
    ],
  ])('%s', (_, before, after) => expect(changes(before, after)).toEqual([]));
});

describe('a version announces breaking changes', () => {
  it.each([
    ['0.1.0', '0.1.1', false],
    ['0.1.0', '0.2.0', true],
    ['0.1.3', '0.1.3', false],
    ['0.9.0', '1.0.0', true],
    ['1.2.0', '1.3.0', false],
    ['1.2.0', '2.0.0', true],
    ['2.0.0', '1.9.0', false],
  ])('%s, then %s: %s', (before, after, expected) => expect(announcesBreaking(before, after)).toBe(expected));
});
