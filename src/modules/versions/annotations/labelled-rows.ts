import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { ShapeCondition } from './domain/shape-condition';
import { byCount, type LabelCount } from '../columns/domain/label-index';
import { TextNumbers } from '../columns/domain/text-numbers';
import type { PlacedSource } from './placed-source';
import type { SourcePart } from './source-part';

/** The labels of rows, as filters ask for them. */
export interface LabelledRows {
  /** The labels that pass. */
  named(passes: (label: string) => boolean): Promise<string[]>;
  holdingAny(labels: readonly string[]): OrdinalSet | Promise<OrdinalSet>;
  holdingAll(labels: readonly string[]): OrdinalSet | Promise<OrdinalSet>;
  holdingNone(): Promise<OrdinalSet>;
}

/** The labels that a source gives to some rows of a version. */
export class SourceLabels implements LabelledRows {
  /** `ordinals` are the rows of the version that are meant, all if absent. */
  constructor(
    private readonly source: PlacedSource | undefined,
    private readonly condition: ShapeCondition,
    private readonly rows: number,
    private readonly ordinals?: Int32Array,
  ) {}

  named(passes: (label: string) => boolean): Promise<string[]> {
    return Promise.resolve([...(this.source?.labels ?? [])].filter(passes));
  }

  holdingAny(labels: readonly string[]): Promise<OrdinalSet> {
    return this.holding(labels);
  }

  async holdingAll(labels: readonly string[]): Promise<OrdinalSet> {
    let found = OrdinalSet.all(this.rows);
    for (const label of new Set(labels)) found = found.and(await this.holding([label]));
    return found;
  }

  async holdingNone(): Promise<OrdinalSet> {
    return (await this.holding(undefined)).complement();
  }

  /** Any label if they are undefined. */
  private async holding(labels: readonly string[] | undefined): Promise<OrdinalSet> {
    const { source, condition, ordinals } = this;
    if (source === undefined) return OrdinalSet.none(this.rows);
    const holding = await source.rowsWith(labels, condition);
    if (ordinals === undefined) return holding;
    const found = OrdinalSet.none(this.rows);
    await inSlices(this.rows, (start, end) => {
      for (let row = start; row < end; row++) if (holding.has(ordinals[row]!)) found.add(row);
    });
    return found;
  }
}

/** The labels of rows, to be counted. */
export interface CountedLabels {
  /** The number of rows with each label, by falling count, then by name. */
  counts(rows: OrdinalSet): Promise<LabelCount[]>;
  /** The number of rows with a label of each group. */
  groupCounts(rows: OrdinalSet, groupsOf: (label: string) => readonly string[]): Promise<LabelCount[]>;
  holdingNone(): Promise<OrdinalSet>;
}

/** The labels of a source, of annotations that pass, for all rows of a version. */
export class CountedSourceLabels implements CountedLabels {
  constructor(
    private readonly source: PlacedSource | undefined,
    private readonly condition: ShapeCondition,
    private readonly rows: number,
  ) {}

  counts(rows: OrdinalSet): Promise<LabelCount[]> {
    return this.groupCounts(rows, (label) => [label]);
  }

  async groupCounts(rows: OrdinalSet, groupsOf: (label: string) => readonly string[]): Promise<LabelCount[]> {
    const groups = new TextNumbers();
    const counts: number[] = [];
    /** By group: the row that was seen last, and how often. */
    const [seen, times]: [number[], number[]] = [[], []];
    const { count: least = 1, ...condition } = this.condition;
    let [current, groupsOfLabel]: [SourcePart | undefined, number[][]] = [undefined, []];
    await this.source?.visit(undefined, condition, (row, annotation, part) => {
      if (!rows.has(row)) return;
      if (part !== current) {
        current = part;
        groupsOfLabel = part.labels.map((label) => groupsOf(label).map((group) => groups.of(group)));
      }
      for (const group of groupsOfLabel[part.columns.labels[annotation]!]!) {
        times[group] = seen[group] === row ? times[group]! + 1 : 1;
        seen[group] = row;
        if (times[group] === least) counts[group] = (counts[group] ?? 0) + 1;
      }
    });
    return [...groups.numbers]
      .flatMap(([label, group]) => (counts[group] === undefined ? [] : [{ label, count: counts[group] }]))
      .sort(byCount);
  }

  holdingNone(): Promise<OrdinalSet> {
    return new SourceLabels(this.source, this.condition, this.rows).holdingNone();
  }
}
