import { npyOf, vectorsForm, type SentVectors } from '../support/npy-bytes';
import { NOBODY, unknownDataset, UUID, type Case, type Route } from './contract-case';

const GIVEN: SentVectors = { vectors: npyOf([[1, 0]]), names: ['1.jpg'] };
const pathOf = (id: string): string => `/api/v1/dataset/${id}/embeddings`;

function withoutVectors(): FormData {
  const form = vectorsForm(GIVEN);
  form.delete('vectors');
  return form;
}

function withField(field: string): FormData {
  const form = vectorsForm({ vectors: GIVEN.vectors });
  form.set(field, new Blob(['a']), 'a.txt');
  return form;
}

const badForms: readonly [string, () => FormData | object, (string | number)[]][] = [
  ['a form', () => ({ id: 'own' }), ['body']],
  ['a file of vectors', withoutVectors, ['body', 'vectors']],
  ['.npy or .parquet', () => vectorsForm({ ...GIVEN, name: 'vectors.csv' }), ['body', 'vectors']],
  ['names of the rows of an array', () => vectorsForm({ vectors: GIVEN.vectors }), ['body', 'names']],
  ['no names beside those of Parquet', () => vectorsForm({ ...GIVEN, name: 'a.parquet' }), ['body', 'names']],
  ['no other file', () => withField('more'), ['body', 'more']],
  ['an id', () => vectorsForm({ ...GIVEN, fields: { id: 'uploaded:own' } }), ['body', 'id']],
  ['a known kind of names', () => vectorsForm({ ...GIVEN, fields: { named_by: 'hash' } }), ['body', 'named_by']],
  ['five thresholds', () => vectorsForm({ ...GIVEN, fields: { ladder: '0.9,0.8' } }), ['body', 'ladder']],
  ['falling thresholds', () => vectorsForm({ ...GIVEN, fields: { ladder: '1,2,3,4,5' } }), ['body', 'ladder']],
  ['true or false', () => vectorsForm({ ...GIVEN, fields: { allow_missing: 'some' } }), ['body', 'allow_missing']],
];

export const EMBEDDINGS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/embeddings',
    cases: [
      {
        it: 'rejects a dataset that is not READY',
        path: (world) => pathOf(world.draft),
        body: () => vectorsForm(GIVEN),
        status: 409,
        detail: "Operation 'upload_embeddings' needs a dataset that is READY; this one is DRAFT",
      },
      ...badForms.map(([what, body, location]): Case => ({
        it: `requires ${what}`,
        path: (world) => pathOf(world.ready),
        body,
        status: 422,
        locations: [location],
      })),
      ...unknownDataset(pathOf).map((each): Case => ({ ...each, body: () => vectorsForm(GIVEN) })),
      {
        it: 'returns the task',
        path: (world) => pathOf(world.ready),
        body: () =>
          vectorsForm({ ...GIVEN, names: [NOBODY], fields: { named_by: 'media_id', ladder: '1,1,0.5,0,-1' } }),
        status: 202,
        answers: () => ({ task_id: UUID }),
      },
    ],
  },
];
