import { simplifySchemas } from './describe-examples';

const text = { type: 'string' };
const number = { type: 'number' };

describe('simplified schemas', () => {
  it('have no composition of a single schema', () => {
    expect(simplifySchemas({ properties: { a: { allOf: [{ $ref: '#/b' }] } } })).toEqual({
      properties: { a: { $ref: '#/b' } },
    });
    expect(simplifySchemas({ oneOf: [text], description: 'a name' })).toEqual({ ...text, description: 'a name' });
  });

  it('have each alternative once', () => {
    expect(simplifySchemas({ items: { anyOf: [number, { ...number }] } })).toEqual({ items: number });
    expect(simplifySchemas({ oneOf: [text, number, text] })).toEqual({ oneOf: [text, number] });
  });

  it('keep what two schemas both say', () => {
    const schema = { allOf: [{ description: 'of the member', ...text }], description: 'of the whole' };
    expect(simplifySchemas(schema)).toEqual(schema);
  });
});
