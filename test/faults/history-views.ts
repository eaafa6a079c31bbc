import type { Pool } from 'pg';
import { formOf, type ApiClient } from '../support/api-client';
import { ExportClient } from '../support/export-client';
import { datasetPath, pick, request, type StepMaker } from './history-step';
import type { DatasetState, KnownMedia, SavedViews } from './history-state';

const MAX_VIEWS = 3;

interface View {
  readonly id: string;
  readonly name: string;
}

/** The ids of the media in an archive, by task. Archives never change. */
const archives = new Map<string, string>();

const idsOf = (media: Iterable<{ readonly id: string | null }>): string =>
  [...media]
    .map(({ id }) => id)
    .sort()
    .join(' ');

/** The views after a batch. They have no filters, so each one matches the whole batch. */
export function withBatch({ views }: DatasetState, media: ReadonlyMap<string, KnownMedia>): SavedViews {
  const added = [...media.values()].filter(({ id }) => id === null).length;
  return added === 0 ? views : new Map([...views].map(([name, counts]) => [name, [...counts, added]]));
}

export const view: StepMaker = ({ id, state, number }) => {
  if (state.views.size < MAX_VIEWS) {
    const name = `view-${number}`;
    const views = new Map([...state.views, [name, []] as const]);
    return request('save a view', { ...state, views }, (api) =>
      api.must(200, 'POST', datasetPath(id, '/views'), formOf({ name })),
    );
  }
  const name = pick([...state.views.keys()]);
  const views = new Map([...state.views].filter(([each]) => each !== name));
  return request('delete a view', { ...state, views }, async (api) => {
    const { id: viewId } = (await listViews(api, id)).find((each) => each.name === name)!;
    await api.must(200, 'DELETE', datasetPath(id, `/views/${viewId}`));
  });
};

export const exportAll: StepMaker = ({ id, state }) => {
  if (state.status !== 'READY') return undefined;
  const exported = [...state.exported, idsOf(state.media.values())];
  return request('export', { ...state, exported }, (api) => new ExportClient(api).start(id, 'export_format=json'));
};

/** The number of matches in each batch, by the name of the view. */
export async function observeViews(api: ApiClient, dataset: string): Promise<SavedViews> {
  const views = new Map<string, number[]>();
  for (const { id, name } of await listViews(api, dataset)) {
    const { points } = await api.must<{ points: { count: number }[] }>(
      200,
      'GET',
      datasetPath(dataset, `/views/${id}/trend`),
    );
    views.set(
      name,
      points.map(({ count }) => count),
    );
  }
  return views;
}

/** The ids of the media in each archive, oldest first. */
export async function observeExports(api: ApiClient, sql: Pool, dataset: string): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT id FROM task WHERE dataset_id = $1 AND type = 'EXPORT' ORDER BY start_time",
    [dataset],
  );
  for (const { id } of rows) if (!archives.has(id)) archives.set(id, await readArchive(api, dataset, id));
  return rows.map(({ id }) => archives.get(id)!);
}

async function readArchive(api: ApiClient, dataset: string, task: string): Promise<string> {
  const archive = await new ExportClient(api).archive(dataset, { id: task });
  const { media_items: items } = JSON.parse(archive.get('metadata.json')!.toString()) as {
    media_items: { media_id: string }[];
  };
  return idsOf(items.map(({ media_id: id }) => ({ id })));
}

const listViews = async (api: ApiClient, dataset: string): Promise<View[]> =>
  (await api.must<{ views: View[] }>(200, 'GET', datasetPath(dataset, '/views'))).views;
