import { filesForm, formOf } from '../support/api-client';
import { NOBODY, unknownDataset, UUID, type Case, type Route } from './contract-case';

const GIVEN = { annotations: [{ file_name: '1.jpg', labels: ['given'] }] };
const pathOf = (id: string): string => `/api/v1/dataset/${id}/annotations`;

const badBodies: readonly [string, object, (string | number)[]][] = [
  ['an annotation', { annotations: [] }, ['body', 'annotations']],
  ['a mode that it knows', { mode: 'merge', ...GIVEN }, ['body', 'mode']],
  ['a medium', { annotations: [{ labels: ['a'] }] }, ['body', 'annotations', 0]],
  [
    'one name of a medium',
    { annotations: [{ media_id: NOBODY, file_name: 'a.jpg', caption: 'a' }] },
    ['body', 'annotations', 0],
  ],
  ['labels, a caption, objects or metadata', { annotations: [{ file_name: 'a.jpg' }] }, ['body', 'annotations', 0]],
  [
    'labels that are not empty',
    { annotations: [{ file_name: 'a.jpg', labels: [' '] }] },
    ['body', 'annotations', 0, 'labels', 0],
  ],
  [
    'at most 10,000 annotations',
    { annotations: Array.from({ length: 10_001 }, (_, at) => ({ file_name: `${at}.jpg`, caption: 'a' })) },
    ['body', 'annotations'],
  ],
];

const BOX = { x: 0, y: 0, width: 0.5, height: 0.5 };
const badObjects: readonly [string, object, (string | number)[]][] = [
  ['boxes in fractions', { label: 'a', bounding_box: { ...BOX, x: 7 } }, ['bounding_box', 'x']],
  ['boxes with an area', { label: 'a', bounding_box: { ...BOX, width: 0 } }, ['bounding_box', 'width']],
  ['a confidence from 0 to 1', { label: 'a', bounding_box: BOX, confidence: 2 }, ['confidence']],
];

const badFields: readonly [string, object, (string | number)[]][] = [
  ['a name of a field', { field_name: ' ', value: 1 }, ['field_name']],
  ['values of the type of their field', { field_name: 'a', field_type: 'float', value: 'b' }, []],
  ['times with a zone', { field_name: 'a', field_type: 'datetime', value: '2026-01-31T12:00:00' }, []],
  ['times that exist', { field_name: 'a', field_type: 'datetime', value: '2026-99-31T12:00:00Z' }, []],
  ['texts of at most 255 characters', { field_name: 'a', value: 'b'.repeat(256) }, []],
];

const csv = (content: string, name = 'image_annotations.csv', field?: string): FormData =>
  filesForm([{ name, bytes: Buffer.from(content) }], field);
const inMode = (mode: string): FormData => {
  const form = csv('filename,label\n1.jpg,given\n');
  form.set('mode', mode);
  return form;
};
function formWith(form: FormData, fields: Readonly<Record<string, string>>): FormData {
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
/** The fields come before the files. */
function previewOf(content: string, name = 'a.csv'): FormData {
  const form = formWith(new FormData(), { source: 'detector', preview: 'true' });
  form.append('files', new Blob([content]), name);
  return form;
}
const filesOf = (id: string): string => `${pathOf(id)}/files`;
const twice = (): FormData => {
  const form = inMode('add');
  form.append('files', new Blob(['x']), 'image_annotations.csv');
  return form;
};

const OF_SOURCE = { source: 'detector', annotations: [{ file_name: 'none.jpg', label: 'given' }] };
const sourcesOf = (id: string): string => `/api/v1/dataset/${id}/annotation_sources`;

const badSources: readonly [string, object, (string | number)[]][] = [
  ['a name of the source', { source: ' ' }, ['body', 'source']],
  ['a mode of sources', { mode: 'other' }, ['body', 'mode']],
  ['annotations of the source', { annotations: [] }, ['body', 'annotations']],
  ['a label', { annotations: [{ file_name: '1.jpg' }] }, ['body', 'annotations', 0, 'label']],
  [
    'names of attributes that are kept',
    { annotations: [{ file_name: '1.jpg', label: 'a', attributes: JSON.parse('{"__proto__":true}') as object }] },
    ['body', 'annotations', 0, 'attributes'],
  ],
];

export const ANNOTATIONS_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/annotations',
    cases: [
      {
        it: 'returns what people said about the media',
        path: (world) => `${pathOf(world.captioned)}?limit=1`,
        status: 200,
        answers: () =>
          expect.objectContaining({ annotations: [expect.objectContaining({ source: 'ground_truth' })] }) as unknown,
      },
      {
        it: 'returns none of a dataset without media',
        path: (world) => pathOf(world.draft),
        status: 200,
        answers: () => ({ annotations: [], next_cursor: null, total: 0 }),
      },
      {
        it: 'rejects a cursor of no page',
        path: (world) => `${pathOf(world.captioned)}?cursor=none`,
        status: 422,
        locations: [['query', 'cursor']],
      },
      {
        it: 'limits its pages',
        path: (world) => `${pathOf(world.captioned)}?limit=1001`,
        status: 422,
        locations: [['query', 'limit']],
      },
      ...unknownDataset(pathOf),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/annotation_sources',
    cases: [
      {
        it: 'returns what people said about the media',
        path: (world) => sourcesOf(world.captioned),
        status: 200,
        answers: () => ({ sources: [expect.objectContaining({ name: 'ground_truth', n_labels: 5 })] }),
      },
      ...unknownDataset(sourcesOf),
    ],
  },
  {
    method: 'PATCH',
    route: '/api/v1/dataset/{dataset_id}/annotation_sources/{source}',
    cases: [
      {
        it: 'does not know a source',
        path: (world) => `${sourcesOf(world.ready)}/none`,
        body: () => ({ name: 'other' }),
        status: 404,
        detail: 'Annotation source not found',
      },
      {
        it: 'requires a name',
        path: (world) => `${sourcesOf(world.ready)}/none`,
        body: () => ({}),
        status: 422,
        locations: [['body', 'name']],
      },
      ...unknownDataset((id) => `${sourcesOf(id)}/none`).map((each): Case => ({
        ...each,
        body: () => ({ name: 'other' }),
      })),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}/annotation_sources/{source}',
    cases: [
      {
        it: 'does not know a source',
        path: (world) => `${sourcesOf(world.ready)}/none`,
        status: 404,
        detail: 'Annotation source not found',
      },
      ...unknownDataset((id) => `${sourcesOf(id)}/none`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/annotation_sources/{source}/objects',
    cases: [
      {
        it: 'does not know a source',
        path: (world) => `${sourcesOf(world.ready)}/none/objects`,
        status: 404,
        detail: 'Annotation source not found',
      },
      {
        it: 'leaves what the table has as it is',
        path: (world) => `${sourcesOf(world.ready)}/imported_predictions/objects`,
        status: 409,
        detail:
          "What the source 'imported_predictions' found is made into objects already, unless people marked the same.",
      },
      {
        it: 'rejects a dataset that is not READY',
        path: (world) => `${sourcesOf(world.draft)}/ground_truth/objects`,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY; this one is DRAFT",
      },
      ...unknownDataset((id) => `${sourcesOf(id)}/none/objects`),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/annotations',
    cases: [
      {
        it: 'returns the task',
        path: (world) => pathOf(world.pictured),
        body: () => GIVEN,
        status: 202,
        answers: () => ({ task_id: UUID }),
      },
      {
        it: 'rejects a dataset that is not READY',
        path: (world) => pathOf(world.draft),
        body: () => GIVEN,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY; this one is DRAFT",
      },
      {
        it: 'tells which pictures of a source are not there',
        path: (world) => pathOf(world.ready),
        body: () => OF_SOURCE,
        status: 200,
        answers: () => ({ added: 0, changed: 0, removed: 0, unmatched: [0], change_id: null }),
      },
      {
        it: 'rejects a source of a dataset that is neither READY nor PARTIAL INDEX',
        path: (world) => pathOf(world.draft),
        body: () => OF_SOURCE,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY or PARTIAL INDEX; this one is DRAFT",
      },
      ...badSources.map(([what, wrong, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body: () => ({ ...OF_SOURCE, ...wrong }),
        status: 422,
        locations: [location],
      })),
      ...badBodies.map(([what, body, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body: () => body,
        status: 422,
        locations: [location],
      })),
      ...badObjects.map(([what, object, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body: () => ({ annotations: [{ file_name: '1.jpg', objects: [object] }] }),
        status: 422,
        locations: [['body', 'annotations', 0, 'objects', 0, ...location]],
      })),
      ...badFields.map(([what, field, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body: () => ({ annotations: [{ file_name: '1.jpg', metadata: [field] }] }),
        status: 422,
        locations: [['body', 'annotations', 0, 'metadata', 0, ...location]],
      })),
      ...unknownDataset(pathOf).map((each): Case => ({ ...each, body: () => GIVEN })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/annotations/folders',
    cases: [
      {
        it: 'rejects a dataset that is not READY',
        path: (world) => `${pathOf(world.draft)}/folders`,
        body: () => ({ mode: 'add' }),
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY; this one is DRAFT",
      },
      {
        it: 'knows two modes',
        path: (world) => `${pathOf(world.ready)}/folders`,
        body: () => ({ mode: 'other' }),
        status: 422,
        locations: [['body', 'mode']],
      },
      ...unknownDataset((id) => `${pathOf(id)}/folders`).map((each): Case => ({
        ...each,
        body: () => ({ mode: 'add' }),
      })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/annotations/files',
    cases: [
      {
        it: 'returns the task',
        path: (world) => filesOf(world.annotated),
        body: () => inMode('replace'),
        status: 202,
        answers: () => ({ task_id: UUID }),
      },
      {
        it: 'previews what files have for a source',
        path: (world) => filesOf(world.ready),
        body: () => previewOf('filename,label\n1.jpg,given\nnone.jpg,given\n'),
        status: 200,
        answers: () =>
          expect.objectContaining({
            format: 'table',
            annotations: 2,
            unmatched: { count: 1, names: ['none.jpg'] },
          }) as unknown,
      },
      {
        it: 'says why a file has no preview',
        path: (world) => filesOf(world.ready),
        body: () => previewOf('', 'a.unknown'),
        status: 400,
        detail:
          /^a\.unknown cannot be read: they are in none of the formats that can be read: .* Nothing was changed\.$/,
      },
      {
        it: 'previews files for a source only',
        path: (world) => filesOf(world.ready),
        body: () => formWith(csv('filename,label\n'), { preview: 'true' }),
        status: 422,
        locations: [['body', 'preview']],
      },
      {
        it: 'rejects a dataset that is not READY',
        path: (world) => filesOf(world.draft),
        body: () => inMode('add'),
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY or PARTIAL INDEX; this one is DRAFT",
      },
      {
        it: 'requires the name of an annotation file',
        path: (world) => filesOf(world.ready),
        body: () => csv('a', 'labels.csv'),
        status: 400,
        detail: /^"labels\.csv" is not an annotation file: its name must be annotations\.json, /,
      },
      {
        it: 'takes each file once',
        path: (world) => filesOf(world.ready),
        body: twice,
        status: 400,
        detail: 'The form has image_annotations.csv twice',
      },
      {
        it: "requires the field 'files'",
        path: (world) => filesOf(world.ready),
        body: () => csv('a', 'image_annotations.csv', 'files[]'),
        status: 422,
        locations: [['body', 'files[]']],
      },
      {
        it: 'requires a file',
        path: (world) => filesOf(world.ready),
        body: () => formOf({ mode: 'add' }),
        status: 422,
        locations: [['body', 'files']],
      },
      {
        it: 'requires a mode that it knows',
        path: (world) => filesOf(world.ready),
        body: () => inMode('merge'),
        status: 422,
        locations: [['body', 'mode']],
      },
      ...unknownDataset(filesOf).map((each): Case => ({ ...each, body: () => inMode('add') })),
    ],
  },
];
