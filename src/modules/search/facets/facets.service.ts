import { Injectable } from '@nestjs/common';
import { ENTITY_KINDS, type EntityKind } from '../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { OUTCOMES, type Outcome } from '../../../common/engine/evaluation/counted-outcomes';
import type { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { DEFAULT_THRESHOLDS, type IssueName } from '../query/domain/filter';
import {
  conditionOn,
  conditionOnOutcomes,
  labelsOfSource,
  outcomesOf,
  withoutFacet,
  type Facet,
} from '../query/domain/facet-filters';
import type { SearchQuery } from '../query/domain/search-query';
import { anyText, type IsSought } from '../../../common/platform/text/texts';
import {
  MEASURED_ISSUES,
  rowsBetween,
  VersionOpener,
  type FolderCount,
  type LabelCount,
  type OpenedVersion,
  type PublishedState,
} from '../../versions';
import { countFields, type FieldFacet } from './field-facets';
import { assertSearchable, SearchEngine } from '../query/search-engine';
import type { TagCount } from '../explore/found-clusters';

export interface Facets {
  readonly total: number;
  readonly kinds: Readonly<Record<EntityKind, number>>;
  readonly labels: readonly LabelCount[];
  /** Labels with others below them. Their counts include those. */
  readonly broaderLabels: readonly LabelCount[];
  /** From the nearest to the widest. */
  readonly parentsOf: (label: string) => readonly string[];
  readonly unlabeled: number;
  readonly tags: readonly TagCount[];
  readonly untagged: number;
  readonly issues: readonly { readonly issue: IssueName; readonly count: number }[];
  /** None without an evaluation. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly count: number }[];
  readonly folders: readonly FolderCount[];
  readonly fields: readonly FieldFacet[];
  /** Set if the search may have missed some. */
  readonly recall: number | undefined;
}

const NO_KINDS = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, 0])) as Record<EntityKind, number>;
const NOTHING: Facets = {
  total: 0,
  kinds: NO_KINDS,
  labels: [],
  broaderLabels: [],
  parentsOf: () => [],
  unlabeled: 0,
  tags: [],
  untagged: 0,
  issues: [],
  outcomes: [],
  folders: [],
  fields: [],
  recall: undefined,
};

export interface FacetOptions {
  /** Of labels, folders and field values. */
  readonly isSought?: IsSought;
  /** Whose labels are counted, in the place of those that people and taggers gave. */
  readonly source?: string | undefined;
  /** Whose outcomes are counted. */
  readonly evaluation?: string | undefined;
}

/**
 * Counts a result by label, tag, issue, kind, folder and custom field. A facet is counted without its own filter, so that its list includes the
 * values that could be chosen in addition.
 */
@Injectable()
export class FacetsService {
  constructor(
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
  ) {}

  async of(
    { datasetId, pointer, status }: PublishedState,
    asked: SearchQuery,
    { isSought = anyText, source, evaluation }: FacetOptions = {},
  ): Promise<Facets> {
    assertSearchable(asked, status);
    if (pointer === null) return NOTHING;
    const query = await this.engine.withEvaluations(datasetId, asked);
    using version = await this.versions.openToBrowse(pointer);
    const rows = await this.engine.rowsOf(datasetId, version, query);
    const rowsFor: RowsFor = async (facet) => {
      const other = withoutFacet(query, facet);
      if (other === query) return rows;
      // Opened again, because cached scans of a text belong to the filters of the first search with it.
      using again = await this.versions.openToBrowse(pointer);
      return await this.engine.rowsOf(datasetId, again, other);
    };
    const hierarchy = this.engine.labelHierarchy;
    const counts = await count(version, query, { rows, rowsFor, isSought, source, hierarchy });
    const outcomes =
      evaluation === undefined ? [] : await this.outcomes({ datasetId, version, query }, evaluation, rowsFor);
    using again = await this.versions.openToBrowse(pointer);
    const fields = await countFields(again, query, {
      rows,
      isSought,
      rowsOf: (other, among) => this.engine.rowsOf(datasetId, again, other, among),
    });
    return { ...counts, outcomes, fields };
  }

  private async outcomes(
    { datasetId, version, query }: { datasetId: string; version: OpenedVersion; query: SearchQuery },
    evaluation: string,
    rowsFor: RowsFor,
  ): Promise<Facets['outcomes']> {
    const condition = conditionOnOutcomes(evaluation, query.filters);
    const asked = condition?.found ?? { of: await this.engine.evaluated(datasetId, evaluation) };
    const rows = await rowsFor(outcomesOf(evaluation));
    const counts: { outcome: Outcome; count: number }[] = [];
    for (const outcome of OUTCOMES) {
      const found = await version.withOutcomes({ ...condition, outcomes: [outcome] }, asked);
      counts.push({ outcome, count: rows.and(found).size });
    }
    return counts;
  }
}

/** The rows of the result without the filter of a facet. */
type RowsFor = (facet: Facet) => Promise<OrdinalSet>;

interface Counted extends Required<Omit<FacetOptions, 'evaluation'>> {
  readonly rows: OrdinalSet;
  readonly rowsFor: RowsFor;
  readonly hierarchy: LabelHierarchy;
}

async function count(
  version: OpenedVersion,
  query: SearchQuery,
  { rows, rowsFor, isSought, source, hierarchy }: Counted,
): Promise<Omit<Facets, 'fields' | 'outcomes'>> {
  const labels = await version.labels(source, source === undefined ? {} : conditionOn(source, query.filters));
  const tags = await version.tags();
  const forLabels = await rowsFor(source === undefined ? 'labels' : labelsOfSource(source));
  const forTags = await rowsFor('tags');
  return {
    total: rows.size,
    kinds: await countKinds(await rowsFor('mediaTypes'), version.index.kinds),
    labels: await sought(await labels.counts(forLabels), ({ label }) => isSought(label)),
    broaderLabels: hierarchy.isEmpty
      ? []
      : (await labels.groupCounts(forLabels, (label) => hierarchy.groupsOf(label))).filter(({ label }) =>
          isSought(label),
        ),
    parentsOf: (label) => hierarchy.parentsOf(label),
    unlabeled: forLabels.and(await labels.holdingNone()).size,
    tags: tags.tagIds.flatMap((id) => {
      const held = tags.with(id).reduce((sum, row) => sum + (forTags.has(row) ? 1 : 0), 0);
      return held === 0 ? [] : [{ id, count: held }];
    }),
    untagged: forTags.without(OrdinalSet.of(version.rows, tags.tagged())).size,
    issues: await countIssues(version, await rowsFor('issues'), query),
    folders: await sought(await (await version.folders()).counts(await rowsFor('folders')), ({ folder }) =>
      isSought(folder),
    ),
    recall: version.recall,
  };
}

/** The number of texts per slice, which takes a few milliseconds. */
const TEXTS_AT_ONCE = 2 ** 13;

async function sought<T>(values: readonly T[], passes: (value: T) => boolean): Promise<T[]> {
  const found: T[] = [];
  await inSlices(
    values.length,
    (start, end) => {
      for (let at = start; at < end; at++) if (passes(values[at]!)) found.push(values[at]!);
    },
    TEXTS_AT_ONCE,
  );
  return found;
}

async function countKinds(rows: OrdinalSet, kinds: Int8Array): Promise<Record<EntityKind, number>> {
  const counts = new Int32Array(ENTITY_KINDS.length);
  await inSlices(kinds.length, (start, end) => {
    for (let row = start; row < end; row++) if (rows.has(row)) counts[kinds[row]!]!++;
  });
  return Object.fromEntries(ENTITY_KINDS.map((kind, i) => [kind, counts[i]!])) as Record<EntityKind, number>;
}

async function countIssues(version: OpenedVersion, rows: OrdinalSet, query: SearchQuery): Promise<Facets['issues']> {
  const measures = await version.measures();
  const issues: { issue: IssueName; count: number }[] = [];
  for (const issue of MEASURED_ISSUES) {
    const found = await rowsBetween(measures[issue], DEFAULT_THRESHOLDS[issue], Infinity);
    issues.push({ issue, count: rows.and(found).size });
  }
  const { groupOf } = await version.duplicates(query.entityType, DEFAULT_THRESHOLDS.duplicates);
  const copies = await rowsBetween(groupOf, 0, Infinity);
  return [...issues, { issue: 'duplicates', count: rows.and(copies).size }];
}
