import type { Client } from 'pg';
import { annotationKeys, evaluationKey } from '../../modules/versions';

interface ServerFacts {
  /** In the format of server_version_num. */
  readonly version: number;
  readonly mayCreate: boolean;
  readonly isStandby: boolean;
  readonly maxConnections: number;
  readonly used: number;
  readonly nowMs: number;
}

/** Runs a query in the caller's snapshot. */
export type Query = <Row extends object>(sql: string) => Promise<Row[]>;

export interface PublishedVersion {
  readonly generation: string;
  readonly version: number;
  /** The name and id of one of the datasets that refer to it. */
  readonly dataset: string;
}

/** The objects of the store that the database refers to, except uploads and references in table rows. */
export interface References {
  readonly versions: readonly PublishedVersion[];
  readonly tagFiles: readonly string[];
  readonly annotationFiles: readonly string[];
  /** Of outcomes. */
  readonly evaluationFiles: readonly string[];
  readonly archives: readonly string[];
}

const POINTERS = `
  SELECT id AS dataset_id, generation_id, table_version, tags_file FROM dataset
  UNION ALL SELECT dataset_id, generation_id, table_version, tags_file FROM snapshot
  UNION ALL SELECT dataset_id, generation_id, table_version, tags_file FROM export_task
  UNION ALL SELECT dataset_id, generation_id, table_version, tags_file FROM evaluation`;

export async function readReferences(query: Query): Promise<References> {
  const versions = await query<PublishedVersion>(`
    SELECT pointer.generation_id AS generation, pointer.table_version AS version,
      min(coalesce(dataset.display_name, 'a deleted dataset') || ' (' || dataset_id || ')') AS dataset
    FROM (${POINTERS}) AS pointer LEFT JOIN dataset ON dataset.id = dataset_id
    WHERE pointer.generation_id IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2`);
  const tags = await query<{ id: string }>(
    `SELECT DISTINCT tags_file AS id FROM (${POINTERS}) AS pointer WHERE tags_file IS NOT NULL ORDER BY 1`,
  );
  const annotations = await query<{ id: string }>(`
    SELECT DISTINCT segment ->> 'id' AS id FROM annotation_state,
      jsonb_array_elements(sources) AS source, jsonb_array_elements(source -> 'segments') AS segment
    WHERE annotation_state.id IN (
      SELECT annotation_state FROM dataset UNION SELECT annotation_state FROM snapshot
      UNION SELECT annotation_state FROM export_task UNION SELECT annotation_state FROM evaluation)
    ORDER BY 1`);
  const evaluations = await query<{ id: string }>(
    'SELECT DISTINCT result_file AS id FROM evaluation WHERE result_file IS NOT NULL ORDER BY 1',
  );
  const archives = await query<{ key: string }>(
    `SELECT archive_key AS key FROM export_task WHERE archive_key IS NOT NULL AND expires_at > now() ORDER BY 1`,
  );
  return {
    versions,
    tagFiles: tags.map(({ id }) => `tags/${id}.arrow`),
    annotationFiles: annotations.flatMap(({ id }) => Object.values(annotationKeys(id))),
    evaluationFiles: evaluations.map(({ id }) => evaluationKey(id)),
    archives: archives.map(({ key }) => key),
  };
}

const LARGEST_VERSION = 2n ** 64n - 1n;

/** The names of the manifest of a version in Lance, in the current format and that of earlier releases. */
export const versionKeys = ({ generation, version }: Pick<PublishedVersion, 'generation' | 'version'>): string[] =>
  [String(LARGEST_VERSION - BigInt(version)).padStart(20, '0'), String(version)].map(
    (name) => `tables/${generation}.lance/_versions/${name}.manifest`,
  );

export interface Unfinished {
  readonly installation: string | undefined;
  /** The ids of tables, whether published or not. */
  readonly generations: ReadonlySet<string>;
  /** The tasks whose files may still be needed. */
  readonly tasks: ReadonlySet<string>;
  /** Rows that tasks have analysed and not yet added to a table. */
  readonly chunks: readonly string[];
}

export async function readUnfinished(query: Query): Promise<Unfinished> {
  const [installation] = await query<{ id: string }>('SELECT id FROM installation');
  const generations = await query<{ id: string }>('SELECT id FROM generation');
  const tasks = await query<{ id: string }>('SELECT id FROM task');
  const chunks = await query<{ key: string }>(
    'SELECT store_key AS key FROM analyzed_chunk WHERE images + videos > 0 ORDER BY 1',
  );
  return {
    installation: installation?.id,
    generations: new Set(generations.map(({ id }) => id)),
    tasks: new Set(tasks.map(({ id }) => id)),
    chunks: chunks.map(({ key }) => key),
  };
}

export async function readServer(client: Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int AS version,
       has_schema_privilege('public', 'CREATE') AS "mayCreate",
       pg_is_in_recovery() AS "isStandby",
       current_setting('max_connections')::int AS "maxConnections",
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`,
  );
  return rows[0]!;
}
