import type { INestApplicationContext } from '@nestjs/common';
import { join } from 'node:path';
import { copyFile, writeFile } from 'node:fs/promises';
import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import type { EvaluatedSlices } from '../../src/modules/evaluation/domain/slice';
import { completedEvaluation } from '../support/completed-evaluation';
import { outcomesOf } from '../support/made-outcomes';
import { filesForm, type ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import { NOBODY, type Case } from './contract-case';
import { vqlQuery } from './vql.cases';

const ANNOTATIONS = `filename,label,caption
cats/0.jpg,cat,A black cat sleeps on a red sofa
cats/1.jpg,cat,Two cats are sleeping under the table
cars/2.jpg,car,A red car on the road
cars/3.jpg,"['car', 'vehicle']",Three cars parked in a row
`;

/** Six pictures: four with captions and labels, one copy of one of them without, and one more. */
export async function writeCaptioned(folder: string): Promise<void> {
  for (const [seed, name] of ['cats/0', 'cats/1', 'cars/2', 'cars/3', 'other/4'].entries())
    await writePicture(join(folder, `${name}.jpg`), seed);
  await copyFile(join(folder, 'cars/3.jpg'), join(folder, 'cars/3-copy.jpg'));
  await writeFile(join(folder, 'image_annotations.csv'), ANNOTATIONS);
}

/** Adds fields of each type that requests can set, for the filter `metadata`. */
export async function giveMetadata(api: ApiClient, dataset: string): Promise<void> {
  const names = ['cats/0', 'cats/1', 'cars/2', 'cars/3', 'cars/3-copy', 'other/4'];
  const annotations = names.map((name, at) => ({
    file_name: `${name}.jpg`,
    metadata: [
      { field_name: 'site', value: name.startsWith('cats') ? 'north' : 'south' },
      { field_name: 'score', value: [0, 0.25, 0.5, 1, 2, 4][at] },
      { field_name: 'checked', value: at === 5 },
      { field_name: 'taken', field_type: 'datetime', value: `20${at === 0 ? '26' : '20'}-01-31T10:00:00Z` },
    ],
  }));
  await api.must(202, 'POST', `/api/v1/dataset/${dataset}/annotations`, { annotations });
  await api.untilStatus(dataset, ['READY']);
}

const SLICES: EvaluatedSlices = {
  figure: 0.5,
  slices: [
    {
      conditions: [
        { by: 'label', value: 'cat', name: 'cat', vql: null },
        { by: 'folder', value: 'cats', name: 'cats', vql: { folders: { op: 'one_of', value: ['cats'] } } },
      ],
      isFound: true,
      pictures: 30,
      truth: 40,
      figure: 0.25,
      rest: 0.75,
      interval: [-0.625, -0.375],
      chance: 0.001,
    },
    {
      conditions: [{ by: 'size', value: 'small', name: 'small', vql: null }],
      isFound: false,
      pictures: 3,
      truth: 2,
      figure: 0.5,
      rest: 0.5,
      interval: [-0.1, 0.1],
      chance: 0.5,
    },
  ],
};

/** For the filter `evaluation`: one picture has a tp, one a fp with a confidence of 0.4, and one a fn. Another evaluation found the other one. Returns the first. */
export async function giveEvaluation(app: INestApplicationContext, api: ApiClient, dataset: string): Promise<string> {
  type Page = { clusters: { previews: { media_id: string }[] }[] };
  const { clusters } = await api.must<Page>(200, 'GET', `/api/v1/explore/${dataset}?threshold=4`);
  const [found, wrong, missed] = clusters.flatMap(({ previews }) => previews.map(({ media_id: id }) => id));
  const cat = { label: 'cat', confidence: 0.9, outcome: 'tp', truth: 0, iou: 0.8 } as const;
  const outcomes = outcomesOf([
    { id: found!, truth: [{ label: 'cat' }], predictions: [cat] },
    { id: wrong!, truth: [], predictions: [{ label: 'car', confidence: 0.4, outcome: 'background' }] },
    { id: missed!, truth: [{ label: 'cat' }], predictions: [] },
  ]);
  await completedEvaluation(app, { id: EXAMPLE.evaluation, dataset, outcomes, slices: SLICES });
  const others = outcomesOf([
    { id: found!, truth: [{ label: 'cat' }], predictions: [] },
    { id: missed!, truth: [{ label: 'cat' }], predictions: [cat] },
  ]);
  await completedEvaluation(app, { id: EXAMPLE.otherEvaluation, dataset, outcomes: others });
  return found!;
}

export async function uploadAnchor(api: ApiClient, dataset: string, picture: Uint8Array): Promise<string> {
  const path = `/api/v1/dataset/${dataset}/search-image-similarity?entity_type=IMAGES`;
  const form = filesForm([{ name: 'query.jpg', bytes: picture }], 'file');
  return (await api.must<{ anchor_media_id: string }>(200, 'POST', path, form)).anchor_media_id;
}

const explore = (dataset: string, query: string): string => `/api/v1/explore/${dataset}?${query}`;
const images = (query: string): string => `entity_type=IMAGES&${query}`;
const anchor = (type: 'UPLOAD' | 'MEDIA', id: string): string =>
  images(`threshold=4&anchor_type=${type}&anchor_media_id=${id}`);
const CAPTION = encodeURIComponent('A red car on the road');

const like = (parts: object): unknown => expect.objectContaining(parts);
const nearest = (parts: object): unknown =>
  like({ clusters: expect.arrayContaining([like({ relevance_score_type: 'cosine_distance', ...parts })]) as unknown });
const nothing = (): unknown => ({ clusters: [], metadata: { used_duckdb: false }, total_pages: 0, current_page: 0 });

const found = (it: string, path: Case['path'], answers: NonNullable<Case['answers']>): Case => ({
  it,
  path,
  status: 200,
  answers,
});

const captioned = (it: string, query: string, answers: NonNullable<Case['answers']>): Case =>
  found(it, (world) => explore(world.captioned, query), answers);

const exactCaption = (): unknown =>
  nearest({
    relevance_score: expect.closeTo(0, 4) as unknown,
    captions: ['A red car on the road'],
    formed_by: 'SIMILARITY',
  });

const notFound = (it: string, path: Case['path'], detail: Case['detail']): Case => ({
  it,
  path,
  status: 404,
  ...(detail === undefined ? {} : { detail }),
});

const duplicateGroup = like({
  n_images: 2,
  relevance_score: null,
  formed_by: 'DUPLICATES',
  previews: [expect.not.objectContaining({ relevance_score: null }), expect.anything()] as unknown,
});

const BY_TEXT: readonly Case[] = [
  captioned('ranks by a caption', images(`caption=${CAPTION}`), exactCaption),
  captioned('takes the old name of caption', images(`image_caption=${CAPTION}`), exactCaption),
  captioned('keeps what is below a distance', images(`caption=${CAPTION}&textual_similarity_threshold=0`), nothing),
  captioned('handles a caption of unknown words', images('caption=xyzzy&textual_similarity_threshold=0.5'), nothing),
  captioned('finds nothing where only images have captions', `entity_type=OBJECTS&caption=${CAPTION}`, nothing),
  captioned(
    'joins everything by AND',
    images(
      `caption=${CAPTION}&labels=[car]&tags=untagged&threshold=4&${vqlQuery({ text: { op: 'fts', value: 'road' } })}`,
    ),
    exactCaption,
  ),
];

const BY_ANCHOR: readonly Case[] = [
  found(
    'puts an anchor of the dataset first, at distance 0',
    ({ ready, tags }) => explore(ready, anchor('MEDIA', tags.media)),
    ({ tags }) =>
      nearest({
        relevance_score: 0,
        previews: expect.arrayContaining([like({ media_id: tags.media, relevance_score: 0 })]) as unknown,
      }),
  ),
  found(
    'has nothing to tell of a part where all vectors were read',
    ({ ready, tags }) => explore(ready, `${anchor('MEDIA', tags.media)}&allow_partial=true`),
    () => expect.not.objectContaining({ partial: expect.anything() as unknown }) as unknown,
  ),
  found(
    'ranks by an uploaded image',
    ({ ready, anchor: id }) => explore(ready, anchor('UPLOAD', id)),
    () => nearest({ relevance_score: expect.any(Number) as unknown }),
  ),
  found(
    'is sorted by a measure',
    ({ ready }) => explore(ready, 'sort=-file_size'),
    () => like({ clusters: expect.arrayContaining([like({ relevance_score: null })]) as unknown }),
  ),
  notFound('rejects unknown media', ({ ready }) => explore(ready, anchor('MEDIA', NOBODY)), 'Media not found'),
  notFound(
    'rejects an unknown anchor',
    ({ ready }) => explore(ready, anchor('UPLOAD', NOBODY)),
    /^Search anchor not found/,
  ),
  notFound(
    'rejects the anchor of another dataset',
    (world) => explore(world.captioned, anchor('UPLOAD', world.anchor)),
    /^Search anchor not found/,
  ),
  {
    it: 'searches by image where the dataset is READY',
    path: (world) => explore(world.draft, anchor('MEDIA', NOBODY)),
    status: 409,
    detail: "Operation 'visual_search' needs a dataset that is READY; this one is DRAFT",
  },
];

const groupOfCopies = (): unknown => like({ clusters: [duplicateGroup], total_pages: 1 });

const BY_DUPLICATES_AND_TAGS: readonly Case[] = [
  captioned('groups copies', 'duplicate_threshold=1.0', groupOfCopies),
  captioned('groups copies by VQL', vqlQuery({ duplicates: { op: 'duplicates', value: 1 } }), groupOfCopies),
  found('finds no copies where there are none', ({ ready }) => explore(ready, 'duplicate_threshold=1'), nothing),
  found(
    'finds what is untagged',
    ({ ready }) => explore(ready, 'threshold=4&tags=untagged'),
    () => like({ total_pages: 1 }),
  ),
  found(
    'finds nothing by a tag that nothing has',
    ({ ready, tags }) => explore(ready, `tags=[${tags.other}]`),
    nothing,
  ),
  captioned('finds what has no label', 'threshold=4&labels=unlabeled', () => like({ total_pages: 1 })),
];

export const FOUND: readonly Case[] = [...BY_TEXT, ...BY_ANCHOR, ...BY_DUPLICATES_AND_TAGS];
