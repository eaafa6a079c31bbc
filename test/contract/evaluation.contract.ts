import { formOf, type ApiClient } from '../support/api-client';
import { waitUntil } from '../support/wait-until';
import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const BOX = { type: 'box', x: 10, y: 10, width: 40, height: 40 };

/** Of a dataset whose objects are marked: one evaluation that is over, and one to delete. */
export async function makeEvaluations(api: ApiClient, dataset: string): Promise<World['evaluations']> {
  const path = `/api/v1/dataset/${dataset}`;
  const annotations = [{ file_name: 'family-0/0.jpg', label: 'ball', confidence: 0.9, shape: BOX }];
  await api.must(200, 'POST', `${path}/annotations`, { source: 'rival', annotations });
  const make = async (name: string): Promise<string> => {
    const body = { name, predictions: 'rival', task: 'detection' };
    type Started = { evaluation_id: string };
    const { evaluation_id: id } = await api.must<Started>(202, 'POST', `${path}/evaluations`, body);
    const status = async () => (await api.must<{ status: string }>(200, 'GET', `${path}/evaluations/${id}`)).status;
    await waitUntil(async () => (await status()) !== 'RUNNING');
    return id;
  };
  return { known: await make('Known'), doomed: await make('Doomed') };
}

export const evaluationsOf = (world: World, rest = ''): string =>
  `/api/v1/dataset/${world.annotated}/evaluations${rest}`;
export const ofKnownEvaluation = (world: World, rest = ''): string =>
  evaluationsOf(world, `/${world.evaluations.known}${rest}`);

export const evaluationRoute = '/api/v1/dataset/{dataset_id}/evaluations';

/** Cases of a route with an unknown evaluation. */
export const unknownEvaluation = (rest: string, body?: object): Case[] => {
  const withBody = body === undefined ? {} : { body: () => body };
  const detail = 'Evaluation not found';
  return [
    {
      it: 'rejects an unknown evaluation',
      path: (world: World) => evaluationsOf(world, `/${NOBODY}${rest}`),
      status: 404,
      detail,
    },
    {
      it: 'rejects the evaluation of another dataset',
      path: (world: World) => `/api/v1/dataset/${world.captioned}/evaluations/${world.evaluations.known}${rest}`,
      status: 404,
      detail,
    },
    {
      it: 'requires a UUID for the evaluation',
      path: (world: World) => evaluationsOf(world, `/mine${rest}`),
      status: 422,
      locations: [['path', 'evaluation_id']],
    },
    ...unknownDataset((id) => `/api/v1/dataset/${id}/evaluations/${NOBODY}${rest}`),
  ].map((each) => ({ ...each, ...withBody }));
};

const asked = (more: object = {}) => ({ name: 'New', predictions: 'rival', task: 'detection', ...more });

const refused: readonly [string, object, (string | number)[]][] = [
  ['an empty name', asked({ name: ' ' }), ['name']],
  ['no source', asked({ predictions: undefined }), ['predictions']],
  ['the truth as predictions', asked({ truth: 'rival' }), ['predictions']],
  ['an unknown task', asked({ task: 'tracking' }), ['task']],
  ['an unknown protocol', asked({ protocol: 'lvis' }), ['protocol']],
  ['rules of detection for labels', asked({ task: 'classification', protocol: 'voc' }), ['protocol']],
  ['a label above itself', asked({ protocol: 'open_images', options: { hierarchy: [['a', 'a']] } }), ['options']],
  [
    'labels of pictures without regard to labels',
    asked({ task: 'classification', options: { class_agnostic: true } }),
    ['options'],
  ],
  ['overlaps of labels', asked({ task: 'classification', options: { iou: 0.5 } }), ['options', 'iou']],
  ['detections by VOC', asked({ protocol: 'voc', options: { max_detections: 9 } }), ['options', 'max_detections']],
  ['sigmas of boxes', asked({ options: { sigmas: [0.1] } }), ['options', 'sigmas']],
  ['a hierarchy for COCO', asked({ options: { hierarchy: [['a', 'b']] } }), ['options', 'hierarchy']],
  ['an unknown option', asked({ options: { overlap: 1 } }), ['options']],
  ['an overlap of nothing', asked({ options: { iou: 0 } }), ['options', 'iou']],
  ['a confidence that is no number', asked({ options: { confidence: 'NaN' } }), ['options', 'confidence']],
  ['a confidence above 1', asked({ options: { confidence: 1.5 } }), ['options', 'confidence']],
  [
    'a confidence of a label below 0',
    asked({ options: { class_confidences: { a: -1 } } }),
    ['options', 'class_confidences', 'a'],
  ],
  ['detections of nothing', asked({ options: { max_detections: 0 } }), ['options', 'max_detections']],
  ['pictures of another kind', asked({ options: { pictures: 'some' } }), ['options', 'pictures']],
  ['objects', asked({ filter: { entity_type: 'OBJECTS' } }), ['filter', 'entity_type']],
  ['an unknown filter', asked({ filter: { vql: [{ cats: {} }] } }), ['filter', 'vql', 0, 'cats']],
  ['an unknown field of a filter', asked({ filter: { cats: 1 } }), ['filter']],
  ['a number for keep_up_to_date', asked({ keep_up_to_date: 1 }), ['keep_up_to_date']],
  ['an unknown field', asked({ views: [] }), []],
];

const evaluation = (more: object): unknown =>
  expect.objectContaining({
    id: UUID,
    truth: 'ground_truth',
    predictions: 'rival',
    task: 'detection',
    protocol: 'coco',
    filter: null,
    created_at: TIME,
    created_by: 'admin@localhost',
    ...more,
  });

const started = () => ({ evaluation_id: UUID, task_id: UUID });

const CREATION: Route = {
  method: 'POST',
  route: evaluationRoute,
  cases: [
    {
      it: 'compares two sources',
      path: (world) => evaluationsOf(world),
      body: () => asked({ options: { iou: 0.6, class_confidences: { ball: 0.5 }, pictures: 'with_truth' } }),
      status: 202,
      answers: started,
    },
    {
      it: 'compares them in some pictures',
      path: (world) => evaluationsOf(world),
      body: () => asked({ filter: { vql: [{ folders: { op: 'one_of', value: 'family-0' } }] } }),
      status: 202,
      answers: started,
    },
    {
      it: 'rejects an unknown source',
      path: (world) => evaluationsOf(world),
      body: () => asked({ predictions: 'nobody' }),
      status: 404,
      detail: "Annotation source 'nobody' not found",
    },
    {
      it: 'rejects a task that does not fit the shapes',
      path: (world) => evaluationsOf(world),
      body: () => asked({ task: 'keypoints' }),
      status: 400,
      detail:
        /^The source 'ground_truth' has no annotations with keypoints, which the task keypoints compares\. It has 2 boxes/,
    },
    {
      it: 'rejects a filter that finds nothing',
      path: (world) => evaluationsOf(world),
      body: () => asked({ filter: { labels: ['nothing'] } }),
      status: 400,
      detail: 'No picture matches the filter. Choose another filter.',
    },
    {
      it: 'rejects a dataset without media',
      path: (world) => `/api/v1/dataset/${world.draft}/evaluations`,
      body: () => asked(),
      status: 409,
      detail: /^Operation 'evaluate' /,
    },
    ...refused.map(([what, body, location]): Case => ({
      it: `rejects ${what}`,
      path: (world) => evaluationsOf(world),
      body: () => body,
      status: 422,
      locations: [['body', ...location]],
    })),
    ...unknownDataset((id) => `/api/v1/dataset/${id}/evaluations`).map((each) => ({ ...each, body: () => asked() })),
  ],
};

const imported = (fields: Readonly<Record<string, string>>, file = true): FormData => {
  const form = formOf(fields);
  const coco = { images: [], categories: [], annotations: [] };
  if (file) form.append('files', new Blob([JSON.stringify(coco)]), 'results.json');
  return form;
};
const ofBall = (more: object = {}): string => JSON.stringify({ name: 'Imported', task: 'detection', ...more });

const refusedImports: readonly [string, () => FormData, (string | number)[]][] = [
  ['a form without an evaluation', () => imported({ source: 'brought' }), ['evaluation']],
  ['an evaluation that is no JSON', () => imported({ source: 'brought', evaluation: '{' }), ['evaluation']],
  ['a bad evaluation', () => imported({ source: 'brought', evaluation: ofBall({ task: 1 }) }), ['evaluation', 'task']],
  [
    'predictions that are not the source',
    () => imported({ source: 'brought', evaluation: ofBall({ predictions: 'rival' }) }),
    ['evaluation'],
  ],
  [
    'the source as the truth',
    () => imported({ source: 'brought', evaluation: ofBall({ truth: 'brought' }) }),
    ['evaluation', 'predictions'],
  ],
  ['an unknown format', () => imported({ source: 'brought', format: 'x', evaluation: ofBall() }), ['format']],
  ['a form without files', () => imported({ source: 'brought', evaluation: ofBall() }, false), ['files']],
];

const IMPORT: Route = {
  method: 'POST',
  route: `${evaluationRoute}/import`,
  cases: [
    {
      it: 'imports predictions and compares them',
      path: (world) => evaluationsOf(world, '/import'),
      body: () => imported({ source: 'brought', evaluation: ofBall() }),
      status: 202,
      answers: started,
    },
    {
      it: 'rejects an unknown truth',
      path: (world) => evaluationsOf(world, '/import'),
      body: () => imported({ source: 'brought', evaluation: ofBall({ truth: 'nobody' }) }),
      status: 404,
      detail: "Annotation source 'nobody' not found",
    },
    {
      it: 'requires a source before the files',
      path: (world) => evaluationsOf(world, '/import'),
      body: () => imported({ evaluation: ofBall() }),
      status: 400,
      detail: /^"results\.json" is not an annotation file/,
    },
    ...refusedImports.map(([what, body, location]): Case => ({
      it: `rejects ${what}`,
      path: (world) => evaluationsOf(world, '/import'),
      body,
      status: 422,
      locations: [['body', ...location]],
    })),
    ...unknownDataset((id) => `/api/v1/dataset/${id}/evaluations/import`).map((each) => ({
      ...each,
      body: () => imported({ source: 'brought', evaluation: ofBall() }),
    })),
  ],
};

export const EVALUATION_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: evaluationRoute,
    cases: [
      {
        it: 'returns the evaluations, newest first',
        path: (world) => evaluationsOf(world, '?limit=1&offset=1&predictions=rival'),
        status: 200,
        answers: () => ({ total: 2, evaluations: [evaluation({ name: 'Known' })] }),
      },
      {
        it: 'returns those of another truth',
        path: (world) => evaluationsOf(world, '?truth=second'),
        status: 200,
        answers: () => ({ total: 0, evaluations: [] }),
      },
      {
        it: 'limits its pages',
        path: (world) => evaluationsOf(world, '?limit=101'),
        status: 422,
        locations: [['query', 'limit']],
      },
      ...unknownDataset((id) => `/api/v1/dataset/${id}/evaluations`),
    ],
  },
  {
    method: 'GET',
    route: `${evaluationRoute}/{evaluation_id}`,
    cases: [
      {
        it: 'returns an evaluation',
        path: ofKnownEvaluation,
        status: 200,
        answers: () => evaluation({ name: 'Known' }),
      },
      ...unknownEvaluation(''),
    ],
  },
  {
    method: 'PATCH',
    route: `${evaluationRoute}/{evaluation_id}`,
    cases: [
      {
        it: 'renames an evaluation',
        path: ofKnownEvaluation,
        body: () => ({ name: 'Renamed' }),
        status: 200,
        answers: (world) => evaluation({ id: world.evaluations.known, name: 'Renamed' }),
      },
      {
        it: 'keeps an evaluation up to date',
        path: ofKnownEvaluation,
        body: () => ({ keep_up_to_date: true }),
        status: 200,
        answers: () => evaluation({ name: 'Renamed', keep_up_to_date: true }),
      },
      ...[{ name: 'Other', truth: 'rival' }, {}].map((body): Case => ({
        it: `changes nothing else: ${JSON.stringify(body)}`,
        path: ofKnownEvaluation,
        body: () => body,
        status: 422,
        locations: [['body']],
      })),
      {
        it: 'rejects a word for keep_up_to_date',
        path: ofKnownEvaluation,
        body: () => ({ keep_up_to_date: 'yes' }),
        status: 422,
        locations: [['body', 'keep_up_to_date']],
      },
      ...unknownEvaluation('', { name: 'Other' }),
    ],
  },
  {
    method: 'POST',
    route: `${evaluationRoute}/{evaluation_id}/runs`,
    cases: [
      {
        it: 'runs an evaluation again',
        path: (world) => ofKnownEvaluation(world, '/runs'),
        status: 202,
        answers: started,
      },
      ...unknownEvaluation('/runs'),
    ],
  },
  CREATION,
  IMPORT,
  {
    method: 'DELETE',
    route: `${evaluationRoute}/{evaluation_id}`,
    cases: [
      {
        it: 'deletes an evaluation',
        path: (world) => evaluationsOf(world, `/${world.evaluations.doomed}`),
        status: 204,
      },
      {
        it: 'does not delete it twice',
        path: (world) => evaluationsOf(world, `/${world.evaluations.doomed}`),
        status: 404,
        detail: 'Evaluation not found',
      },
      ...unknownEvaluation(''),
    ],
  },
];
