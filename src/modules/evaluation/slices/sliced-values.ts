import { yieldTurn } from '../../../common/platform/concurrency/in-slices';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { boundsOfParts, sampled } from '../../../common/engine/evaluation/statistics/parts';
import type { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { clusterName, ISSUE_NAMES } from '../../search';
import { clusterId, loadBatches, type MetadataColumn, type OpenedVersion } from '../../versions';
import type { SliceCondition } from '../domain/slice';

/** A condition with what it is about: a slice has at most one condition on each subject. */
export interface SubjectCondition {
  readonly subject: string;
  readonly condition: SliceCondition;
}

/** Of a subject, the most frequent ones. */
const MOST_VALUES = 40;
const MOST_FIELDS = 50;
/** Longer texts of fields are no conditions. */
const MOST_CHARACTERS = 200;
/** Numbers are divided into parts of about the same size. */
const PARTS = 4;
/** Coarse enough that the largest clusters cover most of a dataset. */
const CLUSTER_LEVEL = 3;

/** What pictures may have in common. */
export async function* slicedValues(
  version: OpenedVersion,
  tagNames: ReadonlyMap<string, string>,
  hierarchy: LabelHierarchy,
  rows: OrdinalSet,
): AsyncGenerator<SubjectCondition> {
  yield* issues();
  yield* await brightness(version, rows);
  yield* await tags(version, tagNames);
  yield* await folders(version, rows);
  yield* await clusters(version, hierarchy);
  yield* await batches(version);
  yield* fields(version, rows);
}

const issues = (): SubjectCondition[] =>
  ISSUE_NAMES.map((issue) => ({
    subject: `issue ${issue}`,
    condition: { by: 'issue', value: issue, name: issue, vql: { issues: { op: 'issue', value: [issue] } } },
  }));

async function brightness(version: OpenedVersion, rows: OrdinalSet): Promise<SubjectCondition[]> {
  const column = (await version.measures()).brightness;
  const known = sampled(rows.toArray())
    .map((row) => column[row]!)
    .filter((value) => value >= 0);
  return boundsOfParts(Float64Array.from(known, Math.round), PARTS).map(([least, most]) => {
    const name = `${least} – ${most}`;
    const vql = { brightness: { op: 'between', value: [least, most] } };
    return { subject: 'brightness', condition: { by: 'brightness', value: name, name, vql } };
  });
}

async function tags(version: OpenedVersion, names: ReadonlyMap<string, string>): Promise<SubjectCondition[]> {
  const assigned = await version.tags();
  const counted = [...names].map(([id, name]) => ({ id, name, count: assigned.with(id).length }));
  return counted
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_VALUES)
    .map(({ id, name }) => ({
      subject: `tag ${id}`,
      condition: { by: 'tag', value: id, name, vql: { tags: { op: 'is', value: [id] } } },
    }));
}

async function folders(version: OpenedVersion, rows: OrdinalSet): Promise<SubjectCondition[]> {
  const counts = await (await version.folders()).counts(rows);
  return counts.slice(0, MOST_VALUES).map(({ folder }) => {
    const value = folder === '' ? '/' : folder;
    const vql = { folders: { op: 'one_of', value: [value] } };
    return { subject: 'folder', condition: { by: 'folder', value, name: value, vql } };
  });
}

async function clusters(version: OpenedVersion, hierarchy: LabelHierarchy): Promise<SubjectCondition[]> {
  const largest = await version.index.largest('IMAGES', CLUSTER_LEVEL, MOST_VALUES);
  const found: SubjectCondition[] = [];
  for (const [at, { cluster, hits }] of largest.entries()) {
    await yieldTurn();
    const value = clusterId(version.pointer, { entityType: 'IMAGES', level: CLUSTER_LEVEL, cluster });
    const content = await clusterName(version, hits, hierarchy);
    const name = content === undefined ? String(at + 1) : `${at + 1}: ${content}`;
    found.push({
      subject: 'cluster',
      condition: { by: 'cluster', value, name, vql: { clusters: { op: 'is', value: [value] } } },
    });
  }
  return found;
}

async function batches({ table }: OpenedVersion): Promise<SubjectCondition[]> {
  const { batch, batchIds } = await loadBatches(table);
  const counts = new Int32Array(batchIds.length);
  for (const number of batch) counts[number]!++;
  const largest = [...batchIds.entries()].sort(([a], [b]) => counts[b]! - counts[a]!).slice(0, MOST_VALUES);
  return largest.map(([, id]) => ({
    subject: 'batch',
    condition: { by: 'batch', value: id, name: id, vql: { batch: { op: 'is', value: [id] } } },
  }));
}

async function* fields(version: OpenedVersion, rows: OrdinalSet): AsyncGenerator<SubjectCondition> {
  let left = MOST_FIELDS;
  for await (const column of version.allMetadata()) {
    if (left-- === 0) return;
    const { name: field } = column;
    for (const { name, value, test } of await valuesOf(column, rows)) {
      const vql = { metadata: { field, ...test } };
      yield { subject: `field ${field}`, condition: { by: 'field', value, name: `${field}: ${name}`, vql } };
    }
  }
}

interface FieldValue {
  readonly value: string;
  readonly name: string;
  readonly test: object;
}

async function valuesOf(column: MetadataColumn, rows: OrdinalSet): Promise<FieldValue[]> {
  if (column.type === 'float' || column.type === 'datetime') return partsOf(column, rows);
  const { values } = await column.mostFrequent(rows, MOST_VALUES);
  return values
    .filter(({ value }) => value.length <= MOST_CHARACTERS)
    .map(({ value }) => ({
      value,
      name: value,
      test: { op: 'eq', value: column.type === 'boolean' ? value === 'true' : value },
    }));
}

async function partsOf(column: MetadataColumn, rows: OrdinalSet): Promise<FieldValue[]> {
  const shown = (value: number): string | number =>
    column.type === 'datetime' ? new Date(value).toISOString() : value;
  return boundsOfParts(sampled(await column.numbers(rows)), PARTS).map((bounds) => {
    const value = bounds.map(shown);
    return { value: value.join(' – '), name: value.join(' – '), test: { op: 'between', value } };
  });
}
