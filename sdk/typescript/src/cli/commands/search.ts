import { openAsBlob } from 'node:fs';
import type { Dataset, MediaPreview, SearchQuery, UnderstoodText, VqlFilter } from '../../dataset.js';
import type { Command, Run } from '../command.js';
import { UsageError } from '../exit.js';

export const FILTERS = {
  label: {
    type: 'string',
    multiple: true,
    value: 'LABEL',
    help: 'Only media with this label; repeat it to match any of several.',
  },
  'with-narrower': {
    type: 'boolean',
    help: 'With --label: also media with a label below it, such as dog for animal, as installed taggers know them.',
  },
  vql: {
    type: 'string',
    value: 'JSON',
    help: 'Filters that must all match; /api/v1/docs of the service lists them.',
  },
  entity: { type: 'string', value: 'KIND', help: 'images (the default), objects or videos.' },
} as const;

const ENTITIES = ['IMAGES', 'OBJECTS', 'VIDEOS'] as const;

function entityOf(run: Run): (typeof ENTITIES)[number] {
  const given = (run.text('entity') ?? 'IMAGES').toUpperCase();
  const known = ENTITIES.find((name) => name === given);
  if (known === undefined) throw new UsageError('--entity must be images, objects or videos');
  return known;
}

function filtersOf(text: string | undefined): readonly VqlFilter[] {
  if (text === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed as VqlFilter[];
  } catch {
    // Reported below.
  }
  throw new UsageError('--vql must be a JSON list of filters, such as [{"issues":{"op":"issue","value":"blur"}}]');
}

export async function queryOf(run: Run, dataset: Dataset): Promise<SearchQuery> {
  const entity_type = entityOf(run);
  const [caption, image, media] = [run.text('caption'), run.text('image'), run.text('media')];
  const text = run.text('text');
  const [labels, narrower] = [run.texts('label'), run.flag('with-narrower')];
  if (narrower && labels.length === 0) throw new UsageError('--with-narrower needs --label');
  const withNarrower: VqlFilter = { labels: { op: 'one_of', value: [...labels], with_narrower: true } };
  const vql: VqlFilter[] = [
    ...(narrower ? [withNarrower] : []),
    ...(text === undefined ? [] : [{ text: { op: 'semantic' as const, value: text } }]),
    ...filtersOf(run.text('vql')),
  ];
  if ([caption, text, image, media].filter((each) => each !== undefined).length > 1)
    throw new UsageError('Give only one of --caption, --text, --image and --media');
  const distance = run.text('max-distance');
  const anchor =
    image === undefined
      ? media === undefined
        ? {}
        : { anchor_media_id: media, anchor_type: 'MEDIA' as const }
      : await dataset.uploadQueryImage(await openAsBlob(image), { entity_type });
  return {
    entity_type,
    ...anchor,
    ...(caption === undefined ? {} : { caption }),
    ...(distance === undefined ? {} : { textual_similarity_threshold: run.number('max-distance', 1, 0, 1) }),
    ...(labels.length === 0 || narrower ? {} : { labels }),
    ...(vql.length === 0 ? {} : { vql }),
  };
}

/** A cluster previews up to nine of its members; the others are fetched. */
async function* mediaOf(dataset: Dataset, query: SearchQuery): AsyncGenerator<MediaPreview, void, undefined> {
  for await (const cluster of dataset.search(query)) {
    const count = cluster.n_images + cluster.n_objects + cluster.n_videos + cluster.n_frames;
    if (cluster.previews.length >= count) yield* cluster.previews;
    else yield* dataset.members(cluster.cluster_id, query);
  }
}

function noteUnderstood(run: Run, understood: readonly UnderstoodText[] | undefined): void {
  if (understood?.length === 0) run.note('Nothing of the text was understood as something that pictures show.');
  for (const { text, classes } of understood ?? []) run.note(`${text}: understood as ${classes.join(', ')}`);
}

const textOf = (labels: MediaPreview['labels']): string => Object.keys(labels ?? {}).join(', ');

export const search: Command = {
  name: 'search',
  operands: 'DATASET',
  summary: 'Find media by caption, picture, labels and filters',
  options: {
    caption: { type: 'string', value: 'TEXT', help: 'Nearest to this text first.' },
    text: { type: 'string', value: 'TEXT', help: 'With captions or pictures of this meaning, nearest first.' },
    image: { type: 'string', value: 'FILE', help: 'Nearest to this picture first.' },
    media: { type: 'string', value: 'ID', help: 'Nearest to this medium of the dataset first.' },
    'max-distance': { type: 'string', value: 'D', help: 'With --caption: only below this cosine distance, 0 to 1.' },
    ...FILTERS,
    limit: { type: 'string', value: 'N', help: 'At most this many; default 20.' },
  },
  async run(run) {
    const limit = run.number('limit', 20, 1, 1_000_000);
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const found: MediaPreview[] = [];
    const query = await queryOf(run, dataset);
    for await (const media of mediaOf(dataset, query)) if (found.push(media) >= limit) break;
    if (run.text('text') !== undefined) noteUnderstood(run, await dataset.understood(query));
    const byWords = found.some(({ matched }) => matched !== undefined);
    run.answer(found, () =>
      run.table(
        ['FILE', 'DISTANCE', ...(byWords ? ['WORDS IN'] : []), 'LABELS', 'CAPTION', 'ID'],
        found.map((each) => [
          each.original_uri,
          each.relevance_score == null ? '' : each.relevance_score.toFixed(3),
          ...(byWords ? [(each.matched ?? []).join(', ')] : []),
          textOf(each.labels),
          each.caption?.slice(0, 60),
          each.media_id,
        ]),
      ),
    );
  },
};
