import { NOBODY, unknownDataset, UUID, type Case, type Route, type World } from './contract-case';

const listOf = ({ ready }: World, query: string): string => `/api/v1/dataset/${ready}/media?${query}`;

const NUMBER = expect.any(Number) as unknown;
const BOX = { x: NUMBER, y: NUMBER, width: NUMBER, height: NUMBER };

const refused: readonly (readonly [what: string, query: string, ...at: number[]])[] = [
  ['no ids', ''],
  ['an empty text', 'media_ids=', 0],
  ['what is no id', `media_ids=${NOBODY},b`, 1],
  ['too many ids', `media_ids=${Array.from({ length: 101 }, () => NOBODY).join(',')}`],
  ['a very long text', `media_ids=${'1'.repeat(10_000)}`],
  ['ids twice', `media_ids=${NOBODY}&media_ids=${NOBODY}`],
];

export const MEDIA_LIST_CONTRACT: readonly Route[] = [
  {
    method: 'GET',
    route: '/api/v1/dataset/{dataset_id}/media',
    cases: [
      {
        it: 'lists media in the order asked for, and leaves out those that are not there',
        path: (world) =>
          listOf(world, `media_ids=${world.tags.otherMedia},${NOBODY},${world.tags.media.toUpperCase()}`),
        status: 200,
        answers: ({ tags }) => ({
          media: [tags.otherMedia, tags.media].map((media_id): unknown =>
            expect.objectContaining({
              media_id,
              caption: null,
              caption_source: null,
              generated_caption: null,
              label_sources: [],
            }),
          ),
        }),
      },
      {
        it: 'lists media of a snapshot',
        path: (world) => listOf(world, `media_ids=${world.tags.media}&snapshot_id=${world.snapshots.known}`),
        status: 200,
        answers: ({ tags }) => ({ media: [expect.objectContaining({ media_id: tags.media })] }),
      },
      {
        it: 'lists the objects on pictures',
        path: (world) => listOf(world, `media_ids=${world.withObject}&with_objects=true`),
        status: 200,
        answers: ({ withObject }) => ({
          media: [
            expect.objectContaining({
              media_id: withObject,
              n_objects: 1,
              objects: [
                {
                  media_id: UUID,
                  bounding_box: BOX,
                  caption: null,
                  caption_source: null,
                  generated_caption: null,
                  label_sources: [
                    { label: 'ball', source: 'User', annotation_source: 'ground_truth', confidence: null },
                  ],
                },
              ],
            }),
          ],
        }),
      },
      {
        it: 'lists what is measured of media',
        path: (world) => listOf(world, `media_ids=${world.tags.media}&with_values=true`),
        status: 200,
        answers: ({ tags }) => ({
          media: [
            expect.objectContaining({
              media_id: tags.media,
              values: expect.objectContaining({ size_bytes: NUMBER, uniqueness_score: NUMBER }) as unknown,
            }),
          ],
        }),
      },
      {
        it: 'says that no model read text in a picture',
        path: (world) => listOf(world, `media_ids=${world.tags.media}&with_text=true`),
        status: 200,
        answers: () => ({ media: [expect.objectContaining({ text: { text_source: null, text_lines: [] } })] }),
      },
      {
        it: 'says that a picture has no objects',
        path: (world) => listOf(world, `media_ids=${world.tags.media}&with_objects=true`),
        status: 200,
        answers: () => ({ media: [expect.objectContaining({ n_objects: 0, objects: [] })] }),
      },
      {
        it: 'is empty before anything is indexed',
        path: ({ draft }) => `/api/v1/dataset/${draft}/media?media_ids=${NOBODY}`,
        status: 200,
        answers: () => ({ media: [] }),
      },
      {
        it: 'rejects an unknown snapshot',
        path: (world) => listOf(world, `media_ids=${NOBODY}&snapshot_id=${NOBODY}`),
        status: 404,
        detail: 'Snapshot not found',
      },
      ...refused.map(([what, query, ...at]): Case => ({
        it: `rejects ${what}`,
        path: (world) => listOf(world, query),
        status: 422,
        locations: [['query', 'media_ids', ...at]],
      })),
      ...unknownDataset((id) => `/api/v1/dataset/${id}/media?media_ids=${NOBODY}`),
    ],
  },
];
