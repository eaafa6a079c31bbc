import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { LabelHierarchy } from '../../../common/engine/models/label-hierarchy';
import { assertCallerWaits } from '../../../common/platform/concurrency/caller-gone';
import {
  rowsAbove,
  rowsBetween,
  type EntityType,
  type FilterableRows,
  type LabelledRows,
  type Measure,
} from '../../versions';
import { rowsWithin } from '../map/domain/map-area';
import type { Filter, IssueName, SetOp, SourceCondition } from './domain/filter';
import { cutOf } from './domain/search-query';

type FilterOf<K extends Filter['kind']> = Extract<Filter, { kind: K }>;

const none = (rows: number): Promise<OrdinalSet> => Promise.resolve(OrdinalSet.none(rows));

/** Evaluates the filters of one query to sets of rows. */
export class FilterEvaluator {
  private readonly withDuplicates = new Map<number, Promise<OrdinalSet>>();

  constructor(
    private readonly version: FilterableRows,
    private readonly entityType: EntityType,
    private readonly hierarchy: LabelHierarchy,
  ) {}

  /** Rows that match every filter; undefined without filters. */
  async all(filters: readonly Filter[]): Promise<OrdinalSet | undefined> {
    let passed: OrdinalSet | undefined;
    // With fewer candidates, fewer vectors must be compared exactly.
    for (const filter of [...filters].sort((a, b) => costOf(a) - costOf(b))) {
      const found = await this.rowsOf(filter, passed);
      passed = passed?.and(found) ?? found;
    }
    return passed;
  }

  /** Only candidates matter: others may be there or not. */
  private async rowsOf(filter: Filter, candidates?: OrdinalSet): Promise<OrdinalSet> {
    assertCallerWaits();
    switch (filter.kind) {
      case 'keywords':
        return this.keywords(filter);
      case 'textSimilarity':
        return this.textSimilarity(filter, candidates);
      case 'labels':
        return this.bySetOp(filter.op, (all) => this.labels(filter, all));
      case 'unlabeled':
        return this.labelled(filter).then((labels) => labels.holdingNone());
      case 'tags':
        return this.bySetOp(filter.op, (all) => this.tags(filter.values, all));
      case 'untagged':
        return this.untagged();
      case 'issues':
        return this.anyOf(filter.names.map((name) => () => this.issue(name, filter.threshold)));
      case 'duplicates':
        return this.duplicates(filter.similarity);
      case 'uniqueness':
        return this.above(filter.above);
      case 'folders':
        return this.version.folders().then((folders) => folders.matching(filter.op, filter.values));
      case 'files':
        return this.version.where({ field: 'fileName', op: filter.op, values: filter.values });
      case 'mediaType':
        return this.kinds(filter);
      case 'range':
        return this.range(filter);
      case 'clusters':
        return this.version.inClusters(filter.values);
      case 'batch':
        return this.version.where({ field: 'batchId', op: 'one_of', values: filter.values });
      case 'mapArea':
        return this.version.places().then((places) => rowsWithin(places, filter.polygon));
      case 'metadata':
        return this.metadata(filter);
      case 'evaluation':
        return this.outcomes(filter);
      case 'and':
        return this.all(filter.filters).then((found) => found ?? OrdinalSet.all(this.version.rows));
      case 'or':
        return this.anyOf(filter.filters.map((part) => () => this.rowsOf(part, candidates)));
      case 'not':
        return this.rowsOf(filter.filter).then((found) => found.complement());
    }
  }

  private async anyOf(parts: readonly (() => Promise<OrdinalSet>)[]): Promise<OrdinalSet> {
    let found = OrdinalSet.none(this.version.rows);
    for (const part of parts) found = found.or(await part());
    return found;
  }

  private async bySetOp(op: SetOp, holding: (all: boolean) => Promise<OrdinalSet>): Promise<OrdinalSet> {
    switch (op) {
      case 'is':
        return holding(true);
      case 'is_not':
        return (await holding(true)).complement();
      case 'one_of':
        return holding(false);
      case 'not_one_of':
        return (await holding(false)).complement();
    }
  }

  private async labels({ values, withNarrower, of }: FilterOf<'labels'>, all: boolean): Promise<OrdinalSet> {
    const labels = await this.labelled({ of });
    if (withNarrower === undefined) return all ? labels.holdingAll(values) : labels.holdingAny(values);
    const sets: OrdinalSet[] = [];
    for (const value of values) sets.push(await labels.holdingAny(await labels.named(this.hierarchy.within(value))));
    return sets.reduce((found, set) => (all ? found.and(set) : found.or(set)));
  }

  private labelled({ of }: { readonly of?: SourceCondition | undefined }): Promise<LabelledRows> {
    return of === undefined ? Promise.resolve(this.version.index.labels) : this.version.saidBy(of.source, of);
  }

  private async tags(ids: readonly string[], all: boolean): Promise<OrdinalSet> {
    const { rows } = this.version;
    const tags = await this.version.tags();
    const sets = ids.map((id) => OrdinalSet.of(rows, tags.with(id)));
    return sets.reduce((found, set) => (all ? found.and(set) : found.or(set)));
  }

  private async untagged(): Promise<OrdinalSet> {
    const tags = await this.version.tags();
    return OrdinalSet.of(this.version.rows, tags.tagged()).complement();
  }

  private async keywords({ query }: FilterOf<'keywords'>): Promise<OrdinalSet> {
    return (await this.version.keywordHits(query)).rows;
  }

  private async textSimilarity(filter: FilterOf<'textSimilarity'>, candidates?: OrdinalSet): Promise<OrdinalSet> {
    const scan = await this.version.scanText(filter, { candidates });
    if (scan === undefined) return none(this.version.rows);
    const { minSimilarity, maxDistance } = filter;
    if (minSimilarity === undefined) return scan.within(cutOf(filter), candidates);
    const similar = await scan.within({ distance: 1 - minSimilarity, inclusive: true }, candidates);
    return maxDistance === undefined ? similar : scan.within(cutOf(filter), similar);
  }

  private async issue(name: IssueName, threshold: number): Promise<OrdinalSet> {
    return name === 'duplicates' ? this.duplicates(threshold) : this.between(name, threshold, Infinity);
  }

  private duplicates(similarity: number): Promise<OrdinalSet> {
    const found =
      this.withDuplicates.get(similarity) ??
      this.version.duplicates(this.entityType, similarity).then(({ groupOf }) => rowsBetween(groupOf, 0, Infinity));
    this.withDuplicates.set(similarity, found);
    return found;
  }

  private async between(name: Measure, min: number, max: number): Promise<OrdinalSet> {
    return rowsBetween((await this.version.measures())[name], min, max);
  }

  private async above(bound: number): Promise<OrdinalSet> {
    return rowsAbove((await this.version.measures()).uniqueness, bound);
  }

  private range({ field, min = -Infinity, max = Infinity }: FilterOf<'range'>): Promise<OrdinalSet> {
    return this.between(field, min, max);
  }

  private async metadata(filter: FilterOf<'metadata'>): Promise<OrdinalSet> {
    const column = await this.version.metadata(filter.field);
    return column === undefined ? none(this.version.rows) : column.matching(filter);
  }

  private outcomes(filter: FilterOf<'evaluation'>): Promise<OrdinalSet> {
    const { found } = filter;
    return found === undefined ? none(this.version.rows) : this.version.withOutcomes(filter, found);
  }

  private kinds({ kinds }: FilterOf<'mediaType'>): Promise<OrdinalSet> {
    return this.version.index.rowsOf(kinds);
  }
}

const costOf = ({ kind }: Filter): number => (kind === 'textSimilarity' ? 1 : 0);
