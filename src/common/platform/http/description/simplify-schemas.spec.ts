import { simplifySchemas } from './describe-examples';

const text = { type: 'string' };
const number = { type: 'number' };

describe('simplifySchemas', () => {
  it('replaces a composition of a single schema', () => {
    expect(simplifySchemas({ properties: { a: { allOf: [{ $ref: '#/b' }] } } })).toEqual({
      properties: { a: { $ref: '#/b' } },
    });
    expect(simplifySchemas({ oneOf: [text], description: 'a name' })).toEqual({ ...text, description: 'a name' });
  });

  it('removes repeated alternatives', () => {
    expect(simplifySchemas({ items: { anyOf: [number, { ...number }] } })).toEqual({ items: number });
    expect(simplifySchemas({ oneOf: [text, number, text] })).toEqual({ oneOf: [text, number] });
  });

  it('keeps a composition whose schema has a keyword that the outer one has too', () => {
    const schema = { allOf: [{ description: 'of the member', ...text }], description: 'of the whole' };
    expect(simplifySchemas(schema)).toEqual(schema);
  });
});
