import { changeBetween, descriptionOf, valueIn, writtenOf, type Field } from './description';

const field = (type: Field['field_type'], isMulti = false): Field => ({
  field_name: type,
  field_type: type,
  enum_options: null,
  is_multi: isMulti,
});
const FIELDS = [field('string'), field('float'), field('enum', true)];
const value = (type: 'string' | 'float' | 'enum', of: string | number | string[]) => ({
  field_name: type,
  field_type: type,
  value: of,
});

describe('the description of a medium', () => {
  it('is what people wrote', () => {
    const media = { caption: 'A boat', custom_metadata: [value('float', 3)] };
    expect(descriptionOf({ ...media, caption_source: 'User' })).toEqual({
      caption: 'A boat',
      fields: new Map([['float', 3]]),
    });
    expect(descriptionOf({ ...media, caption_source: 'captioner_v00' }).caption).toBeNull();
  });

  it('has values as the types of their fields say', () => {
    const read = (type: Field['field_type'], ...texts: string[]) => texts.map((text) => valueIn(field(type), text));
    expect(read('float', '3.5', ' -1 ', '1e400', 'x', ' ')).toEqual([3.5, -1, undefined, undefined, null]);
    expect(read('boolean', 'true', 'false', 'no', '')).toEqual([true, false, undefined, null]);
    expect(read('string', ' north ', '')).toEqual(['north', null]);
    expect(read('enum', 'sun', '')).toEqual(['sun', null]);
    expect(valueIn(field('enum', true), ['sun', 'rain'])).toEqual(['sun', 'rain']);
    expect(valueIn(field('enum', true), [])).toBeNull();
    for (const each of ['north', ['sun', 'rain']]) expect(writtenOf(each)).toEqual(each);
    expect([writtenOf(3), writtenOf(false), writtenOf(null)]).toEqual(['3', 'false', '']);
  });

  it('changes only what differs', () => {
    const before = { caption: 'A boat', fields: new Map([['float', 3]]) };
    expect(changeBetween(before, { ...before, fields: new Map(before.fields) }, FIELDS)).toBeUndefined();
    const after = { caption: null, fields: new Map([['enum', ['sun']]]) };
    expect(changeBetween(before, after, FIELDS)).toEqual({
      caption: null,
      metadata: [
        { field_name: 'float', field_type: 'float', value: null },
        { field_name: 'enum', field_type: 'enum', value: ['sun'] },
      ],
    });
    expect(changeBetween(after, before, FIELDS)).toEqual({
      caption: 'A boat',
      metadata: [
        { field_name: 'float', field_type: 'float', value: 3 },
        { field_name: 'enum', field_type: 'enum', value: null },
      ],
    });
  });
});
