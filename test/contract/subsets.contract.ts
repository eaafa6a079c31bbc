import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const pathOf = (id: string, verb: string): string => `/api/v1/dataset/${id}/${verb}`;
const media = (...ids: unknown[]) => [{ type: 'media', payload: { media_ids: ids } }];

const badChoices: readonly [string, object, (string | number)[]][] = [
  ['a choice', {}, ['body']],
  ['a UUID for a medium', { media_selection: media('x') }, ['body', 'media_selection', 0, 'payload', 'media_ids', 0]],
  ['an entity type that it knows', { search: { entity_type: 'THINGS' } }, ['body', 'search', 'entity_type']],
  [
    'filters that it knows',
    { search: { vql: [{ colour: { op: 'is', value: 'red' } }] } },
    ['body', 'search', 'vql', 0, 'colour'],
  ],
];

const refused = (verb: string): Case[] => [
  ...badChoices.map(([what, body, location]): Case => ({
    it: `requires ${what}`,
    path: (world) => pathOf(world.annotated, verb),
    body: () => body,
    status: 422,
    locations: [location],
  })),
  {
    it: 'rejects media that are not there',
    path: (world) => pathOf(world.annotated, verb),
    body: () => ({ media_selection: media(NOBODY) }),
    status: 404,
    detail: `Media ${NOBODY} not found`,
  },
  {
    it: 'rejects a choice of nothing',
    path: (world) => pathOf(world.annotated, verb),
    body: () => ({ decided_duplicates: true }),
    status: 400,
    detail: 'No media match the selection. Choose other media.',
  },
  {
    it: 'needs a dataset that is READY',
    path: (world) => pathOf(world.draft, verb),
    body: () => ({ search: {} }),
    status: 409,
    detail: /^Operation '\w+' needs a dataset that is READY; this one is DRAFT$/,
  },
  ...unknownDataset((id) => pathOf(id, verb)).map((each) => ({ ...each, body: () => ({ search: {} }) })),
];

const everythingGoes = (verb: string, more: object = {}): Case => ({
  it: 'rejects the removal of everything',
  path: (world) => pathOf(world.annotated, verb),
  body: () => ({ search: {}, ...more }),
  status: 400,
  detail: 'This would remove all media of the dataset. Choose fewer, or delete the dataset.',
});

/** Each case leaves the dataset READ ONLY for a while. */
export const SUBSETS_CONTRACT: readonly Route[] = [
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/copy',
    cases: [
      ...refused('copy'),
      everythingGoes('copy', { keep: 'others' }),
      {
        it: 'requires media that stay or go',
        path: (world) => pathOf(world.annotated, 'copy'),
        body: () => ({ search: {}, keep: 'some' }),
        status: 422,
        locations: [['body', 'keep']],
      },
      {
        it: 'returns the new dataset and the task',
        path: (world: World) => pathOf(world.pictured, 'copy'),
        body: () => ({ search: { entity_type: 'IMAGES' }, display_name: 'Copied' }),
        status: 202,
        answers: () => ({ dataset_id: UUID, task_id: UUID }),
      },
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/remove_media',
    cases: [
      ...refused('remove_media'),
      everythingGoes('remove_media'),
      {
        it: 'returns the task and the snapshot',
        path: ({ fields }) => pathOf(fields.dataset, 'remove_media'),
        body: ({ fields }) => ({ media_selection: media(fields.media) }),
        status: 202,
        answers: () => ({ task_id: UUID, snapshot_id: UUID }),
      },
    ],
  },
];
