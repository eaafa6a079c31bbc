import { OUTCOMES } from '../../../common/engine/evaluation/counted-outcomes';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { inSlices, yieldTurn } from '../../../common/platform/concurrency/in-slices';
import {
  clusterId,
  KINDS_OF,
  loadBatches,
  MEASURED_ISSUES,
  rowsBetween,
  type EntityType,
  type EvaluatedFile,
  type OpenedVersion,
} from '../../versions';
import { DEFAULT_THRESHOLDS } from '../query/domain/filter';
import { frequentNames, MOST_NAMES, sharedName, sharedParent } from './domain/cluster-name';
import { ColourColumn, MOST_LEGEND, type ColouredValue, type MapColour } from './domain/map-colours';

/** Coarse enough that the largest clusters cover most of a dataset. */
const COLOURED_LEVEL = 3;

interface Asked {
  readonly type: EntityType;
  readonly hierarchy: LabelHierarchy;
  /** Whose outcomes are the colours. */
  readonly evaluated: EvaluatedFile | undefined;
}

type Values = { readonly values: readonly ColouredValue[]; readonly having: OrdinalSet };

/** The colours of all rows of a type. */
export async function colourColumn(version: OpenedVersion, by: MapColour, asked: Asked): Promise<ColourColumn> {
  if (by === 'none') return ColourColumn.none;
  const ofType = await version.index.rowsOf(KINDS_OF[asked.type]);
  const { values, having } = await VALUES[by](version, ofType, asked);
  return ColourColumn.of(values.slice(0, MOST_LEGEND), having);
}

const VALUES: Readonly<
  Record<
    Exclude<MapColour, 'none'>,
    (version: OpenedVersion, ofType: OrdinalSet, asked: Asked) => Values | Promise<Values>
  >
> = {
  cluster: async (version, ofType, { type: entityType, hierarchy }) => {
    const { index, pointer } = version;
    const level = entityType === 'VIDEOS' ? 0 : COLOURED_LEVEL;
    const largest = await index.largest(entityType, level, MOST_LEGEND);
    const values: ColouredValue[] = [];
    for (const [i, { cluster, hits }] of largest.entries()) {
      await yieldTurn();
      values.push({
        value: String(i + 1),
        id: clusterId(pointer, { entityType, level, cluster }),
        media: hits.length,
        name: await clusterName(version, hits, hierarchy),
        rows: hits,
      });
    }
    return { values, having: ofType };
  },

  label: async ({ index: { labels } }, ofType) => {
    const counts = await labels.counts(ofType);
    const values = counts.slice(0, MOST_LEGEND).map(({ label, count }) => ({
      value: label,
      id: null,
      media: count,
      rows: labels.holdingAny([label]).toArray(),
    }));
    return { values, having: (await labels.holdingNone()).complement() };
  },

  tag: async (version, ofType) => {
    const tags = await version.tags();
    const values: ColouredValue[] = [];
    for (const id of tags.tagIds) {
      const rows = tags.with(id).filter((row) => ofType.has(row));
      if (rows.length > 0) values.push({ value: id, id, media: rows.length, rows });
    }
    return { values: bySize(values), having: OrdinalSet.of(version.rows, tags.tagged()) };
  },

  issue: async (version, ofType, { type }) => {
    const measures = await version.measures();
    const values: ColouredValue[] = [];
    const add = (value: string, found: OrdinalSet): void => {
      const rows = found.and(ofType).toArray();
      if (rows.length > 0) values.push({ value, id: null, media: rows.length, rows });
    };
    for (const issue of MEASURED_ISSUES)
      add(issue, await rowsBetween(measures[issue], DEFAULT_THRESHOLDS[issue], Infinity));
    const { groupOf } = await version.duplicates(type, DEFAULT_THRESHOLDS.duplicates);
    add('duplicates', await rowsBetween(groupOf, 0, Infinity));
    return { values: bySize(values), having: OrdinalSet.none(version.rows) };
  },

  outcome: async (version, ofType, { evaluated }) => {
    const values: ColouredValue[] = [];
    for (const value of evaluated === undefined ? [] : OUTCOMES) {
      const found = await version.withOutcomes({ outcomes: [value] }, { of: evaluated! });
      const rows = found.and(ofType).toArray();
      if (rows.length > 0) values.push({ value, id: null, media: rows.length, rows });
    }
    return { values: bySize(values), having: OrdinalSet.none(version.rows) };
  },

  batch: async ({ table }, ofType) => {
    const { batch, batchIds } = await loadBatches(table);
    const counts = new Int32Array(batchIds.length);
    await inSlices(batch.length, (start, end) => {
      for (let row = start; row < end; row++) if (ofType.has(row)) counts[batch[row]!]!++;
    });
    const largest = bySize(
      batchIds
        .map((id, number) => ({ value: id, id, media: counts[number]!, number }))
        .filter(({ media }) => media > 0),
    ).slice(0, MOST_LEGEND);
    const values: ColouredValue[] = [];
    for (const { number, ...value } of largest) {
      await yieldTurn();
      const rows = new Int32Array(value.media);
      let count = 0;
      for (let row = 0; row < batch.length; row++) if (batch[row] === number && ofType.has(row)) rows[count++] = row;
      values.push({ ...value, rows });
    }
    return { values, having: ofType };
  },
};

/** What half of the media have in common, parents of their labels included, or else what they have most. */
export async function clusterName(
  version: OpenedVersion,
  hits: Int32Array,
  hierarchy: LabelHierarchy,
): Promise<string | undefined> {
  const { labels: index } = version.index;
  const folders = (await version.folders()).mostFrequent(hits, MOST_NAMES);
  const contents = { labels: index.mostFrequent(hits, MOST_NAMES), folders };
  const shared = sharedName(hits.length, contents);
  if (shared !== undefined || contents.labels.length === 0 || hierarchy.isEmpty)
    return shared ?? frequentNames(contents);
  const rows = OrdinalSet.of(version.rows, hits);
  const parents = await index.groupCounts(rows, (label) => hierarchy.groupsOf(label));
  return sharedParent(parents, hits.length, hierarchy) ?? frequentNames(contents);
}

const bySize = <T extends { readonly value: string; readonly media: number }>(values: readonly T[]): T[] =>
  [...values].sort((a, b) => b.media - a.media || (a.value < b.value ? -1 : 1));
