import fc from 'fast-check';
import {
  ValidationFailedError,
  type ValidationItem,
  parseOrFail,
} from '../../../../common/platform/http/zod-validation.pipe';
import type { SearchQuery } from '../domain/search-query';
import { exploreParameters, searchParameters } from './search-parameters';

const ID = '0f0e0d0c-0000-4000-8000-00000000000a';
const OTHER = '0f0e0d0c-0000-4000-8000-00000000000b';

const read = (values: unknown): SearchQuery => parseOrFail(searchParameters, values, 'query');

function itemsOf(parse: () => unknown): readonly ValidationItem[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (error instanceof ValidationFailedError) return error.items;
    throw error;
  }
}

const locationsOf = (values: unknown) => itemsOf(() => read(values)).map(({ loc }) => loc);

const blur = { issues: { op: 'issue', value: 'blur' } };

const TYPES: Readonly<Record<string, string>> = {
  vql: 'array',
  threshold: 'integer',
  page_number: 'integer',
  allow_partial: 'boolean',
  with_sources: 'boolean',
};

describe('the search parameters', () => {
  it('default to browsing images at the finest level', () => {
    const query = { entityType: 'IMAGES', level: 0, filters: [] };
    expect(read({})).toEqual(query);
    expect(parseOrFail(exploreParameters, {}, 'query')).toEqual({ query, page: 0 });
    expect(parseOrFail(exploreParameters, { page_number: '7', allow_partial: 'true' }, 'query')).toEqual({
      query,
      page: 7,
      allowPartial: true,
    });
  });

  it('are combined with AND', () => {
    const query = read({
      entity_type: 'OBJECTS',
      threshold: '3',
      caption: ' a red car ',
      textual_similarity_threshold: '.5',
      labels: '[car,bus]',
      tags: `["${ID}","${OTHER.toUpperCase()}"]`,
      duplicate_threshold: '0.95',
      vql: JSON.stringify([blur, { uniqueness: { op: 'uniqueness', value: 0.8 } }]),
    });
    expect(query).toEqual({
      entityType: 'OBJECTS',
      level: 3,
      filters: [
        { kind: 'labels', op: 'one_of', values: ['car', 'bus'] },
        { kind: 'tags', op: 'one_of', values: [ID, OTHER] },
        { kind: 'duplicates', similarity: 0.95 },
        { kind: 'issues', names: ['blur'], threshold: 0.5 },
        { kind: 'uniqueness', above: 0.8 },
      ],
      ranking: { kind: 'textSimilarity', by: 'caption', text: 'a red car', maxDistance: 0.5 },
      duplicates: 0.95,
    });
  });

  it('can be JSON values', () =>
    expect(
      read({
        entity_type: 'IMAGES',
        threshold: 3,
        caption: null,
        labels: ['car', 'a,b]'],
        tags: [ID],
        duplicate_threshold: 1,
        vql: [blur],
      }),
    ).toEqual(
      read({
        entity_type: 'IMAGES',
        threshold: '3',
        labels: '["car","a,b]"]',
        tags: `[${ID}]`,
        duplicate_threshold: '1.0',
        vql: JSON.stringify([blur]),
      }),
    ));

  it.each([
    [{ labels: 'unlabeled' }, [{ kind: 'unlabeled' }]],
    [{ labels: '[unlabeled]' }, [{ kind: 'unlabeled' }]],
    [{ labels: '[]', tags: '[]', vql: '[]' }, []],
    [{ tags: 'untagged' }, [{ kind: 'untagged' }]],
    [
      { tags: `[${ID},untagged]` },
      [{ kind: 'or', filters: [{ kind: 'tags', op: 'one_of', values: [ID] }, { kind: 'untagged' }] }],
    ],
    [{ labels: "[' OR 1=1 --]" }, [{ kind: 'labels', op: 'one_of', values: ["' OR 1=1 --"] }]],
  ])('read %j', (values, filters) => expect(read(values).filters).toEqual(filters));

  it('accept the former name of caption', () => {
    const ranking = { kind: 'textSimilarity', by: 'caption', text: 'cat' };
    expect(read({ entity_type: 'IMAGES', image_caption: 'cat' })).toMatchObject({ ranking });
    expect(read({ entity_type: 'IMAGES', image_caption: 'cat', caption: 'cat' })).toMatchObject({ ranking });
    expect(locationsOf({ entity_type: 'IMAGES', image_caption: 'cat', caption: 'dog' })).toEqual([
      ['query', 'image_caption'],
    ]);
  });

  it('rank by an anchor', () =>
    expect(read({ entity_type: 'IMAGES', anchor_media_id: ID.toUpperCase(), anchor_type: 'UPLOAD' }).ranking).toEqual({
      kind: 'anchor',
      anchorId: ID,
      anchorType: 'UPLOAD',
    }));

  it('accept a sort, but not together with a caption or an anchor', () => {
    const sorted = (values: object) => parseOrFail(exploreParameters, { sort: '-uniqueness', ...values }, 'query');
    const { ranking } = sorted({}).query;
    expect(ranking).toEqual({ kind: 'measure', measure: 'uniqueness', isDescending: true });
    const ranked = [{ caption: 'cat' }, { anchor_media_id: ID, anchor_type: 'MEDIA' }];
    for (const values of [...ranked.map((each) => ({ ...each, entity_type: 'IMAGES' })), { sort: '--width' }])
      expect(itemsOf(() => sorted(values)).map(({ loc }) => loc)).toEqual([['query', 'sort']]);
  });

  it.each([
    [{ anchor_media_id: ID, entity_type: 'IMAGES' }, ['anchor_type']],
    [{ anchor_type: 'MEDIA', entity_type: 'IMAGES' }, ['anchor_media_id']],
    [{ anchor_media_id: ID, anchor_type: 'MEDIA' }, ['entity_type']],
    [{ caption: 'cat' }, ['entity_type']],
    [{ image_caption: 'cat' }, ['entity_type']],
  ])('report what %j requires', (values, names) =>
    expect(itemsOf(() => read(values))).toEqual(
      names.map((name) => ({ type: 'missing', loc: ['query', name], msg: 'Field required', input: null })),
    ),
  );

  it.each([
    [{ entity_type: 'THINGS' }, ['entity_type']],
    [{ threshold: '5' }, ['threshold']],
    [{ threshold: 1.5 }, ['threshold']],
    [{ threshold: '1.0' }, ['threshold']],
    [{ caption: '' }, ['caption']],
    [{ caption: 'a\0' }, ['caption']],
    [{ caption: 'a'.repeat(1_000_000) }, ['caption']],
    [{ caption: ['cat'] }, ['caption']],
    [{ textual_similarity_threshold: '1.01' }, ['textual_similarity_threshold']],
    [{ textual_similarity_threshold: 'NaN' }, ['textual_similarity_threshold']],
    [{ duplicate_threshold: '-0.1' }, ['duplicate_threshold']],
    [{ duplicate_threshold: '' }, ['duplicate_threshold']],
    [{ duplicate_threshold: '0.79' }, ['duplicate_threshold']],
    [{ duplicates_threshold: '1' }, []],
    [{ duplicate_threshold: '0x1' }, ['duplicate_threshold']],
    [{ labels: 'dog,cat' }, ['labels']],
    [{ labels: '["dog",1]' }, ['labels']],
    [{ labels: ['dog', 1] }, ['labels', 1]],
    [{ labels: '[""]' }, ['labels', 0]],
    [{ labels: true }, ['labels']],
    [{ tags: 'unlabeled' }, ['tags']],
    [{ tags: `[${ID},x]` }, ['tags', 1]],
    [{ anchor_media_id: 'x' }, ['anchor_media_id']],
    [{ anchor_type: 'media' }, ['anchor_type']],
    [{ vql: '' }, ['vql']],
    [{ vql: '[{' }, ['vql']],
    [{ vql: '{}' }, ['vql']],
    [{ vql: '[[]]' }, ['vql', 0]],
    [{ vql: [blur, blur, { issues: { ...blur.issues, mode: 'x' } }] }, ['vql', 2, 'issues', 'mode']],
    [{ vql: JSON.stringify([blur, blur, { issues: { ...blur.issues, mode: 'x' } }]) }, ['vql', 2, 'issues', 'mode']],
  ])('refuse %#', (values, location) => expect(locationsOf(values)).toEqual([['query', ...location]]));

  it('report type, message and input of an error in VQL', () =>
    expect(itemsOf(() => read({ vql: '[{"duplicates":{"op":"duplicates","value":95}}]' }))).toEqual([
      {
        type: 'too_big',
        loc: ['query', 'vql', 0, 'duplicates', 'value'],
        msg: 'Input should be at most 1',
        input: 95,
      },
    ]));

  it('can be given only once in a query string', () =>
    expect(itemsOf(() => parseOrFail(exploreParameters, { labels: ['[a]', '[b]'], vql: '[]' }, 'query'))).toMatchObject(
      [{ loc: ['query', 'labels'], msg: 'Input should be given once' }],
    ));

  it('report lists nested 100,000 deep without failing', () => {
    const nested: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    for (const values of [{ labels: nested }, { vql: nested }, { caption: nested }, { vql: [{ labels: nested }] }])
      expect(JSON.stringify(itemsOf(() => read(values))).length).toBeLessThan(500);
  });

  it('are parsed or refused for any input', () => {
    const names = Object.keys(searchParameters.in.shape);
    const anything = fc.oneof(fc.jsonValue(), fc.json(), fc.string({ unit: 'binary' }), fc.constant('[a]'));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), anything), (values) => {
        expect(typeof JSON.stringify(itemsOf(() => read(values)))).toBe('string');
      }),
      { numRuns: 1000 },
    );
  });

  it('are described in the API description', () => {
    const { properties } = exploreParameters['~standard'].jsonSchema.input({ target: 'openapi-3.0' }) as {
      properties: Record<string, { type?: string; description?: string }>;
    };
    for (const [name, property] of Object.entries(properties)) {
      const type = TYPES[name] ?? 'string';
      expect(property).toMatchObject({ type, description: expect.stringMatching(/\S/) as string });
    }
    expect(properties['vql']!.description).toContain('- `issues`:');
  });
});
