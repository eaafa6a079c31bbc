import { NOBODY, TIME, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const pathOf = (world: World, rest = ''): string => `/api/v1/dataset/${world.ready}/duplicates${rest}`;
const ofUnknown =
  (rest = '') =>
  (id: string): string =>
    `/api/v1/dataset/${id}/duplicates${rest}`;

const NO_GROUPS = 'duplicate_threshold=1';

const refusedFilters = (rest = ''): Case[] => [
  {
    it: 'rejects bad parameters',
    path: (world) => pathOf(world, `${rest}?duplicate_threshold=0.5&rule=smallest&folders=raw&vql=[`),
    status: 422,
    locations: [
      ['query', 'duplicate_threshold'],
      ['query', 'vql'],
      ['query', 'rule'],
      ['query', 'folders'],
    ],
  },
];

const decisions = (keep: readonly unknown[], remove?: readonly unknown[]) => ({ decisions: [{ keep, remove }] });

const refusedDecisions: readonly [string, object, (string | number)[]][] = [
  ['no decision', { decisions: [] }, ['decisions']],
  ['nobody who stays', decisions([], [NOBODY]), ['decisions', 0, 'keep']],
  ['a single medium', decisions([NOBODY]), ['decisions', 0]],
  ['a medium twice', decisions([NOBODY], [NOBODY]), ['decisions', 0]],
  ['what is no UUID', decisions([NOBODY], ['x']), ['decisions', 0, 'remove', 0]],
  ['an empty tag', { ...decisions([NOBODY], [NOBODY.replace('1', '2')]), tag: ' ' }, ['tag']],
];

const needsIndex = (rest: string, method: 'body' | 'none', body: object, operation: string): Case => ({
  it: 'needs a dataset that is indexed',
  path: (world) => `/api/v1/dataset/${world.draft}/duplicates${rest}`,
  ...(method === 'body' ? { body: () => body } : {}),
  status: 409,
  detail: `Operation '${operation}' needs a dataset that is READY or PARTIAL INDEX; this one is DRAFT`,
});

export const DUPLICATES_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/duplicates',
    cases: [
      {
        it: 'is empty without groups',
        path: (world) => pathOf(world, `?${NO_GROUPS}&limit=1&rule=sharpest&folders=["raw"]`),
        status: 200,
        answers: () => ({ total_groups: 0, open_groups: 0, groups: [], total_pages: 0, current_page: 0 }),
      },
      {
        it: 'is empty for a draft',
        path: (world) => `/api/v1/dataset/${world.draft}/duplicates`,
        status: 200,
        answers: () => ({ total_groups: 0, open_groups: 0, groups: [], total_pages: 0, current_page: 0 }),
      },
      ...refusedFilters(),
      ...unknownDataset(ofUnknown()),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/duplicates/overview',
    cases: [
      {
        it: 'counts what a rule would do',
        path: (world) => pathOf(world, `/overview?${NO_GROUPS}`),
        status: 200,
        answers: () => {
          const nothing = { kept: 0, removed: 0, removed_bytes: 0 };
          return { total_groups: 0, open_groups: 0, ...nothing, doubtful: { groups: 0, ...nothing } };
        },
      },
      ...refusedFilters('/overview'),
      ...unknownDataset(ofUnknown('/overview')),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/duplicates/removals.csv',
    cases: [
      {
        it: 'lists what goes',
        path: (world) => pathOf(world, '/removals.csv'),
        status: 200,
        answers: () => 'file_path,media_id,size_bytes,kept_path,kept_media_id,decided_at,decided_by\n',
      },
      ...unknownDataset(ofUnknown('/removals.csv')),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/duplicates/removals.sh',
    cases: [
      {
        it: 'is a script that deletes nothing where nothing goes',
        path: (world) => pathOf(world, '/removals.sh'),
        status: 200,
        answers: () => expect.stringMatching(/^#!\/bin\/sh\n(?!.*^delete_file )/ms) as unknown,
      },
      ...unknownDataset(ofUnknown('/removals.sh')),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/duplicates/decisions',
    cases: [
      {
        it: 'records that media are different',
        path: (world) => pathOf(world, '/decisions'),
        body: ({ tags }) => decisions([tags.media, tags.otherMedia]),
        status: 200,
        answers: () => ({ batch_id: UUID, decisions: 1, kept: 2, removed: 0 }),
      },
      {
        it: 'rejects unknown media',
        path: (world) => pathOf(world, '/decisions'),
        body: (world) => decisions([world.tags.media], [NOBODY]),
        status: 404,
        detail: `Media ${NOBODY} not found`,
      },
      ...refusedDecisions.map(([what, body, location]): Case => ({
        it: `rejects ${what}`,
        path: (world) => pathOf(world, '/decisions'),
        body: () => body,
        status: 422,
        locations: [['body', ...location]],
      })),
      needsIndex('/decisions', 'body', decisions([NOBODY], [NOBODY.replace('1', '2')]), 'decide_duplicates'),
      ...unknownDataset(ofUnknown('/decisions')).map((each) => ({
        ...each,
        body: () => decisions([NOBODY], [NOBODY.replace('1', '2')]),
      })),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/duplicates/decisions/by_rule',
    cases: [
      {
        it: 'decides nothing without open groups',
        path: (world) => pathOf(world, '/decisions/by_rule'),
        body: () => {
          const rule = { rule: 'folder', folders: ['raw'], include_doubtful: true };
          return { duplicate_threshold: 1, ...rule, vql: [], tag: null };
        },
        status: 200,
        answers: () => ({ batch_id: UUID, decisions: 0, kept: 0, removed: 0 }),
      },
      {
        it: 'rejects an unknown group',
        path: (world) => pathOf(world, '/decisions/by_rule'),
        body: () => ({ group_id: NOBODY }),
        status: 404,
        detail: 'The group does not exist, or is decided',
      },
      {
        it: 'rejects misspelt filters',
        path: (world) => pathOf(world, '/decisions/by_rule'),
        body: () => ({ label: '[a]', rule: 'best' }),
        status: 422,
        locations: [['body', 'rule'], ['body']],
      },
      needsIndex('/decisions/by_rule', 'body', {}, 'decide_duplicates'),
      ...unknownDataset(ofUnknown('/decisions/by_rule')).map((each) => ({ ...each, body: () => ({}) })),
    ],
  },
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/duplicates/decisions',
    cases: [
      {
        it: 'lists decisions, newest first',
        path: (world) => pathOf(world, '/decisions?limit=1'),
        status: 200,
        answers: () =>
          expect.objectContaining({
            total: 1,
            decisions: [
              expect.objectContaining({
                decision_id: UUID,
                kind: 'DIFFERENT',
                decided_at: TIME,
                members: [
                  expect.objectContaining({ role: 'KEPT', added_at: TIME, similarity: 1 }),
                  expect.objectContaining({ role: 'KEPT' }),
                ],
              }),
            ],
          }) as unknown,
      },
      {
        it: 'rejects a wrong page',
        path: (world) => pathOf(world, '/decisions?page_number=-1&limit=101'),
        status: 422,
        locations: [
          ['query', 'page_number'],
          ['query', 'limit'],
        ],
      },
      ...unknownDataset(ofUnknown('/decisions')),
    ],
  },
  {
    method: 'DELETE',
    route: '/api/v1/dataset/{dataset_id}/duplicates/decisions',
    cases: [
      {
        it: 'rejects an unknown decision',
        path: (world) => pathOf(world, `/decisions?decision_id=${NOBODY}`),
        status: 404,
        detail: 'Decision not found',
      },
      {
        it: 'requires a decision or a batch',
        path: (world) => pathOf(world, '/decisions'),
        status: 422,
        locations: [['query', 'decision_id']],
      },
      needsIndex(`/decisions?batch_id=${NOBODY}`, 'none', {}, 'undo_duplicates'),
      ...unknownDataset(ofUnknown(`/decisions?batch_id=${NOBODY}`)),
    ],
  },
  {
    method: 'POST',
    route: '/api/v1/dataset/{dataset_id}/duplicates/carry_annotations',
    cases: [
      {
        it: 'starts nothing if nothing is missing',
        path: (world) => pathOf(world, '/carry_annotations'),
        status: 202,
        answers: () => ({ task_id: null, media: 0, has_more: false }),
      },
      {
        it: 'needs a dataset that is READY',
        path: (world) => `/api/v1/dataset/${world.draft}/duplicates/carry_annotations`,
        status: 409,
        detail: "Operation 'annotate' needs a dataset that is READY; this one is DRAFT",
      },
      ...unknownDataset(ofUnknown('/carry_annotations')),
    ],
  },
];
