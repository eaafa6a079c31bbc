import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import type { ApiClient } from '../support/api-client';
import { SnapshotClient } from '../support/snapshot-client';
import { FINDING_COLUMNS, foundIn, type Found } from './history-findings';
import type { Observed } from './history-state';
import { observeSaid, type Said } from './history-sources';
import { observeExports, observeViews } from './history-views';

export interface RunningService {
  readonly api: ApiClient;
  readonly sql: Pool;
  readonly store: string;
}

type Media = Map<string, { id: string; sha256: string; found: Found }>;

type ReadRow = Pick<
  MediaRow,
  'id' | 'parentId' | 'path' | 'sha256' | 'labels' | 'generatedLabels' | 'generatedCaption' | 'multimodalEmbedding'
>;

interface Page {
  readonly clusters: readonly { readonly cluster_id: string; readonly n_images: number }[];
}

interface Members {
  readonly total: number;
  readonly members: readonly { readonly media_id: string }[];
}

/** Includes jobs that run after the status has changed: exports, and the evaluation of views. */
export async function hasJobs({ sql }: RunningService, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    "SELECT 1 FROM job_run WHERE finished_at IS NULL AND payload ->> 'datasetId' = $1 LIMIT 1",
    [id],
  );
  return rowCount !== 0;
}

/** Reads a dataset from the database, the store and the API. Fails if they contradict each other. */
export async function observe(service: RunningService, id: string): Promise<Observed> {
  const { api } = service;
  const snapshots = new SnapshotClient(api);
  const dataset = await snapshots.dataset(id);
  const media = await readTable(service, id);
  const pathOf = new Map([...media].map(([path, { id: mediaId }]) => [mediaId, path]));
  const shown = async (query: string): Promise<Set<string>> => {
    const paths: string[] = [];
    const page = await api.must<Page>(200, 'GET', `/api/v1/explore/${id}?threshold=4&${query}`);
    for (const { cluster_id: cluster, n_images: images } of page.clusters) {
      const path = `/api/v1/explore/${id}/clusters/${cluster}?threshold=4&limit=100&${query}`;
      const { members, total } = await api.must<Members>(200, 'GET', path);
      expect({ query, cluster, total }).toEqual({ query, cluster, total: images });
      paths.push(...members.map(({ media_id }) => pathOf.get(media_id)!));
    }
    expect(new Set(paths).size).toBe(paths.length);
    return new Set(paths);
  };
  expect([...(await shown(''))].sort()).toEqual([...media.keys()].sort());
  await api.must(200, 'GET', `/api/v1/explore/${id}?threshold=4&duplicate_threshold=0.9`);
  const tags = new Map<string, Set<string>>();
  for (const tag of await snapshots.tags(id)) {
    const paths = await shown(`tags=[${tag.id}]`);
    expect({ tag, items: tag.n_items }).toEqual({ tag, items: paths.size });
    tags.set(tag.name, paths);
  }
  const listed = await snapshots.list(id);
  const saidIn = new Map<string, Said>();
  for (const { snapshot_id: snapshot } of listed) saidIn.set(snapshot, await observeSaid(api, id, snapshot));
  const { dataset_enrichment_models: context } = await api.must<{
    dataset_enrichment_models: { enrichment_models: Record<string, string> };
  }>(200, 'GET', `/api/v1/enrichment/${id}/context`);
  const tasks = await service.sql.query<{ type: string; status: string; error_message: string | null }>(
    "SELECT type, status, error_message FROM task WHERE dataset_id = $1 AND status <> 'COMPLETED'",
    [id],
  );
  return {
    status: dataset.status_new,
    images: dataset.n_images,
    media,
    tags,
    said: await observeSaid(api, id),
    snapshots: listed.map((each) => ({
      name: each.snapshot_name,
      isCurrent: each.is_current,
      isRestoring: each.is_restoring,
      said: saidIn.get(each.snapshot_id)!,
    })),
    applied: new Map(Object.entries(context.enrichment_models)),
    views: await observeViews(api, id),
    exported: await observeExports(api, service.sql, id),
    tasks: tasks.rows.map(({ type, status, error_message: reason }) => ({
      outcome: `${type} ${status}`,
      reason: reason ?? '',
    })),
  };
}

async function readTable({ sql, store }: RunningService, id: string): Promise<Media> {
  const { rows } = await sql.query<{ generation_id: string; table_version: number }>(
    'SELECT generation_id, table_version FROM dataset WHERE id = $1',
    [id],
  );
  const { generation_id: generation, table_version: version } = rows[0]!;
  const tables = new MediaTableStore({ uri: join(store, 'tables'), storageOptions: {} });
  const table = await tables.open({ generation, version });
  const media: Media = new Map();
  const ids = new Set<string>();
  const columns = [
    'id',
    'kind',
    'parentId',
    'path',
    'source',
    'sha256',
    'clusters',
    'embedding',
    'thumbnailKey',
  ] as const;
  const objects: ReadRow[] = [];
  const images: ReadRow[] = [];
  for await (const batch of table.readRows([...columns, ...FINDING_COLUMNS])) {
    for (const row of batch) {
      expect({ path: row.path, isTwice: ids.has(row.id) }).toEqual({ path: row.path, isTwice: false });
      expect(row.clusters.every((cluster) => cluster >= 0)).toBe(true);
      expect(row.embedding).not.toBeNull();
      await access(join(store, row.thumbnailKey!));
      if (row.source.startsWith('store:')) await access(join(store, row.source.slice('store:'.length)));
      ids.add(row.id);
      (row.kind === 'OBJECT' ? objects : images).push(row);
    }
  }
  const partsOf = new Map<string, ReadRow[]>();
  for (const object of objects) partsOf.set(object.parentId!, [...(partsOf.get(object.parentId!) ?? []), object]);
  for (const row of images) {
    expect({ path: row.path, isTwice: media.has(row.path) }).toEqual({ path: row.path, isTwice: false });
    media.set(row.path, { id: row.id, sha256: row.sha256, found: foundIn(row, partsOf.get(row.id) ?? []) });
    partsOf.delete(row.id);
  }
  expect([...partsOf.keys()]).toEqual([]);
  return media;
}
