import { NOBODY, UUID, type Case, type Route, type World } from './contract-case';

type Query = (world: World) => Readonly<Record<string, string>>;

const PROCESS = '/api/v1/process';
const refused = (message: unknown) => () => ({ status: 'error', message });

interface Asked extends Omit<Case, 'path'> {
  readonly query: Query;
}

/** The same cases with GET and POST, because scripts use both. */
const both = (route: string, cases: readonly Asked[]): Route[] =>
  (['GET', 'POST'] as const).map((method) => ({
    method,
    route,
    cases: cases.map(({ query, ...rest }) => ({
      ...rest,
      path: (world: World) => `${route}?${new URLSearchParams(query(world)).toString()}`,
    })),
  }));

const ofUnknownDataset = (more: Readonly<Record<string, string>> = {}): Asked[] => [
  {
    it: 'rejects an unknown dataset',
    query: () => ({ dataset_id: NOBODY, ...more }),
    status: 404,
    answers: refused('Dataset not found'),
  },
  {
    it: 'requires a UUID',
    query: () => ({ dataset_id: 'not-a-uuid', ...more }),
    status: 400,
    answers: refused('dataset_id: Input should be a valid UUID'),
  },
  {
    it: 'requires a dataset',
    query: () => more,
    status: 400,
    answers: refused('Missing parameter: dataset_id'),
  },
];

export const PIPELINE_CONTRACT: readonly Route[] = [
  ...both(PROCESS, [
    {
      it: 'makes a dataset of a folder',
      query: ({ folder }) => ({ path: folder, name: 'By a script', serve_mode: 'reduce_disk_space' }),
      status: 200,
      answers: () => ({
        status: 'success',
        message: 'Dataset processing started',
        dataset_id: UUID,
        name: 'By a script',
      }),
    },
    {
      it: 'requires a path',
      query: () => ({ name: 'x' }),
      status: 400,
      answers: refused('Missing parameter: path'),
    },
    {
      it: 'requires a name',
      query: ({ folder }) => ({ path: folder }),
      status: 400,
      answers: refused('Missing parameter: name'),
    },
    {
      it: 'requires a name with something in it',
      query: ({ folder }) => ({ path: folder, name: ' ' }),
      status: 400,
      answers: refused('name: Input should not be empty'),
    },
    {
      it: 'requires an absolute path',
      query: () => ({ path: 'pictures', name: 'x' }),
      status: 400,
      answers: refused('path: Input should be an absolute path or s3://bucket/prefix'),
    },
    {
      it: 'reads nothing from the web',
      query: () => ({ path: 'https://example.com/pictures', name: 'x' }),
      status: 400,
      answers: refused('path: Media are not read from web addresses: give an absolute path or s3://bucket/prefix'),
    },
    {
      it: 'knows one way to serve',
      query: ({ folder }) => ({ path: folder, name: 'x', serve_mode: 'fast' }),
      status: 400,
      answers: refused('serve_mode: Input should be reduce_disk_space'),
    },
    {
      it: 'requires media at the path',
      query: ({ emptyFolder }) => ({ path: emptyFolder, name: 'x' }),
      status: 400,
      answers: refused(expect.stringMatching(/ contains no supported image or video/)),
    },
    {
      it: 'keeps to the folders that may be read',
      query: () => ({ path: '/etc', name: 'x' }),
      status: 400,
      answers: refused(expect.stringMatching(/is outside the folders that this service may read/)),
    },
    {
      it: 'keeps to the buckets that may be read',
      query: () => ({ path: 's3://somebody-else/pictures', name: 'x' }),
      status: 400,
      answers: refused(expect.stringMatching(/is not one that this service may read/)),
    },
  ]),
  ...both(`${PROCESS}/add_media`, [
    ...ofUnknownDataset({ path: '/x' }),
    {
      it: 'requires a path',
      query: ({ ready }) => ({ dataset_id: ready }),
      status: 400,
      answers: refused('Missing parameter: path'),
    },
    {
      it: 'requires a flag that is one',
      query: ({ ready, folder }) => ({ dataset_id: ready, path: folder, auto_reindex: 'maybe' }),
      status: 400,
      answers: refused('auto_reindex: Input should be true or false'),
    },
    {
      it: 'requires a dataset that is indexed',
      query: ({ draft, folder }) => ({ dataset_id: draft, path: folder }),
      status: 400,
      answers: refused(expect.stringMatching(/has no embedding_config/)),
    },
    {
      it: 'requires media at the path',
      query: ({ ready, emptyFolder }) => ({ dataset_id: ready, path: emptyFolder }),
      status: 400,
      answers: refused(expect.stringMatching(/^Invalid S3 URI or no media files found at /)),
    },
  ]),
  ...both(`${PROCESS}/reindex`, [
    ...ofUnknownDataset(),
    {
      it: 'has nothing to do for a dataset that is READY',
      query: ({ ready }) => ({ dataset_id: ready }),
      status: 409,
      answers: refused("Operation 'reindex' needs a dataset that is PARTIAL INDEX; this one is READY"),
    },
  ]),
];
