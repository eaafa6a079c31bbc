import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { NOBODY, unknownDataset, type Route } from './contract-case';
import { refusesSearchParameters, unknownSnapshot } from './search-details.contract';
import { COUNTED_BY_VQL, vqlQuery } from './vql.cases';

export const FACETS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/facets',
    cases: [
      {
        it: 'counts what a result holds',
        path: ({ ready }) => `/api/v1/dataset/${ready}/facets`,
        status: 200,
        answers: () => ({
          total: 12,
          labels: [],
          labels_total: 0,
          broader_labels: [],
          unlabeled: 12,
          tags: expect.any(Array) as unknown,
          untagged: expect.any(Number) as unknown,
          issues: ['blur', 'dark', 'bright', 'outliers', 'mislabels', 'class_outliers', 'duplicates'].map((issue) => ({
            issue,
            count: expect.any(Number) as unknown,
          })),
          outcomes: [],
          media_types: [{ value: 'image', count: 12 }],
          folders: ['family-0', 'family-1', 'family-2'].map((value) => ({ value, count: 4 })),
          folders_total: 3,
          custom_metadata: [],
        }),
      },
      {
        it: 'counts folders without the filter by folders, and searches them',
        path: ({ ready }) =>
          `/api/v1/dataset/${ready}/facets?search=Y-1&${vqlQuery({ folders: { op: 'one_of', value: 'family-0' } })}`,
        status: 200,
        answers: () =>
          expect.objectContaining({
            total: 4,
            folders: [{ value: 'family-1', count: 4 }],
            folders_total: 1,
          }) as unknown,
      },
      {
        it: 'counts outcomes of an evaluation without the filter by them',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?evaluation=${EXAMPLE.evaluation}&${vqlQuery({
            evaluation: { op: 'is', value: 'fp', evaluation: EXAMPLE.evaluation, confidence: 0.4 },
          })}`,
        status: 200,
        answers: () =>
          expect.objectContaining({
            total: 1,
            outcomes: ['tp', 'fp', 'fn'].map((outcome) => ({ outcome, count: 1 })),
          }) as unknown,
      },
      {
        it: 'refuses an unknown evaluation',
        path: ({ captioned }) => `/api/v1/dataset/${captioned}/facets?evaluation=${NOBODY}`,
        status: 422,
        locations: [['query', 'evaluation']],
      },
      {
        it: 'refuses an evaluation of another dataset',
        path: ({ ready }) =>
          `/api/v1/dataset/${ready}/facets?${vqlQuery({
            evaluation: { op: 'is', value: 'fp', evaluation: EXAMPLE.evaluation },
          })}`,
        status: 422,
        locations: [['vql', 'evaluation']],
      },
      {
        it: 'refuses too long a text to search for',
        path: ({ ready }) => `/api/v1/dataset/${ready}/facets?search=${'a'.repeat(201)}`,
        status: 422,
        locations: [['query', 'search']],
      },
      {
        it: 'counts the values of fields',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?${vqlQuery({ folders: { op: 'one_of', value: 'cats' } })}`,
        status: 200,
        answers: () => {
          const counted = { count: 2, values_total: 1, min: null, max: null };
          const values = [{ value: 'false', count: 2 }];
          return expect.objectContaining({
            custom_metadata: [
              { field_name: 'checked', field_type: 'boolean', ...counted, values },
              {
                field_name: 'score',
                field_type: 'float',
                count: 2,
                values: null,
                values_total: null,
                min: 0,
                max: 0.25,
              },
              { field_name: 'site', field_type: 'string', ...counted, values: [{ value: 'north', count: 2 }] },
              {
                field_name: 'taken',
                field_type: 'datetime',
                count: 2,
                values: null,
                values_total: null,
                min: '2020-01-31T10:00:00.000Z',
                max: '2026-01-31T10:00:00.000Z',
              },
            ],
          }) as unknown;
        },
      },
      {
        it: 'counts objects',
        path: ({ ready }) => `/api/v1/dataset/${ready}/facets?entity_type=OBJECTS`,
        status: 200,
        answers: () =>
          expect.objectContaining({ total: 2, labels: [{ value: 'ball', count: 2, parents: [] }] }) as unknown,
      },
      {
        it: 'is empty before anything is indexed',
        path: ({ draft }) => `/api/v1/dataset/${draft}/facets`,
        status: 200,
        answers: () => expect.objectContaining({ total: 0, labels: [], folders: [] }) as unknown,
      },
      ...COUNTED_BY_VQL,
      {
        it: 'refuses a field that the dataset does not have',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?${vqlQuery({ metadata: { op: 'eq', field: 'none', value: 1 } })}`,
        status: 422,
        answers: () => ({
          detail: [
            { type: 'value_error', loc: ['vql', 'metadata'], msg: 'The dataset has no field "none".', input: 'none' },
          ],
        }),
      },
      {
        it: 'refuses a value that is not of the type of its field',
        path: ({ captioned }) =>
          `/api/v1/dataset/${captioned}/facets?${vqlQuery({ metadata: { op: 'gt', field: 'site', value: 1 } })}`,
        status: 422,
        answers: () => ({ detail: [expect.objectContaining({ loc: ['vql', 'metadata'], input: 'site' })] }),
      },
      unknownSnapshot(({ ready }) => `/api/v1/dataset/${ready}/facets`),
      ...refusesSearchParameters(({ ready }) => `/api/v1/dataset/${ready}/facets`),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/facets`),
    ],
  },
];
