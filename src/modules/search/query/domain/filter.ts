import type { EntityKind } from '../../../../common/engine/media-table/media-row';
import type { OutcomeCondition } from '../../../../common/engine/evaluation/outcome-condition';
import type { KeywordQuery } from '../../../../common/engine/media-table/caption-index';
import {
  type AskedEvaluations,
  MEASURED_ISSUES,
  type Measure,
  type MetadataCondition,
  type ShapeCondition,
  type SoughtText,
  type TextOp,
} from '../../../versions';

/** Matches entities without labels. */
export const UNLABELED = 'unlabeled';
/** Matches entities without tags. */
export const UNTAGGED = 'untagged';

const NONE = {
  labels: { name: UNLABELED, filter: { kind: 'unlabeled' } },
  tags: { name: UNTAGGED, filter: { kind: 'untagged' } },
} as const;

export const ISSUE_NAMES = [...MEASURED_ISSUES, 'duplicates'] as const;
export type IssueName = (typeof ISSUE_NAMES)[number];

/** The confidence above which an entity has an issue, unless a search gives another one; for duplicates, the similarity. */
export const DEFAULT_THRESHOLDS: Readonly<Record<IssueName, number>> = {
  blur: 0.5,
  dark: 0.5,
  bright: 0.5,
  outliers: 0.5,
  mislabels: 0.5,
  class_outliers: 1,
  duplicates: 1,
};

/** Numbers that a search may bound by whole ones, or order by; the names are those of VQL. */
export const RANGES = {
  width: 'width',
  height: 'height',
  file_size: 'size',
  brightness: 'brightness',
} as const satisfies Record<string, Measure>;
export type RangeMeasure = (typeof RANGES)[keyof typeof RANGES];

export type SetOp = 'is' | 'is_not' | 'one_of' | 'not_one_of';

/** Corners on the map, each with x and y. */
export type MapPolygon = readonly (readonly [x: number, y: number])[];

/** Labels and shapes of one source, in the place of those without a source. */
export interface SourceCondition extends ShapeCondition {
  readonly source: string;
}

export interface LabelFilter {
  readonly kind: 'labels';
  readonly op: SetOp;
  readonly values: readonly string[];
  /** Each value also stands for the labels below it. */
  readonly withNarrower?: true;
  readonly of?: SourceCondition;
}

/** A condition on a custom field. */
export interface MetadataFilter extends MetadataCondition {
  readonly kind: 'metadata';
  readonly field: string;
}

/** A condition on what became of annotations when an evaluation compared them. */
export interface EvaluationFilter extends OutcomeCondition {
  readonly kind: 'evaluation';
  readonly evaluation: string;
  /** In the place of the confidences of the evaluation. */
  readonly confidence?: number;
  /** Another evaluation, which found the annotations that outcomes are about. */
  readonly betterIn?: string;
  /** What both found, once it is known: an evaluation may be run again. Without it nothing matches. */
  readonly found?: AskedEvaluations;
}

/** One condition on an entity, parsed from VQL or from plain parameters, and evaluated by FilterEvaluator. */
export type Filter =
  | { readonly kind: 'keywords'; readonly query: KeywordQuery }
  /** The distance of the caption or image to the text must satisfy `1 - distance >= minSimilarity` and, if given, `distance < maxDistance`. */
  | ({
      readonly kind: 'textSimilarity';
      readonly minSimilarity?: number;
      readonly maxDistance?: number;
    } & SoughtText)
  | LabelFilter
  | { readonly kind: 'unlabeled'; readonly of?: SourceCondition }
  | { readonly kind: 'tags'; readonly op: SetOp; readonly values: readonly string[] }
  | { readonly kind: 'untagged' }
  /** At least one of the issues has this confidence. */
  | { readonly kind: 'issues'; readonly names: readonly IssueName[]; readonly threshold: number }
  /** Has a near duplicate at this similarity. */
  | { readonly kind: 'duplicates'; readonly similarity: number }
  | { readonly kind: 'uniqueness'; readonly above: number }
  /** `folders`: the folder part of the path; `files`: the file name. */
  | { readonly kind: 'folders' | 'files'; readonly op: TextOp; readonly values: readonly string[] }
  | { readonly kind: 'mediaType'; readonly kinds: readonly EntityKind[] }
  /** Inclusive bounds. */
  | {
      readonly kind: 'range';
      readonly field: RangeMeasure;
      readonly min?: number;
      readonly max?: number;
    }
  | { readonly kind: 'batch'; readonly values: readonly string[] }
  /** Ids of clusters, of any level. */
  | { readonly kind: 'clusters'; readonly values: readonly string[] }
  /** Within the polygon, by the even-odd rule. */
  | { readonly kind: 'mapArea'; readonly polygon: MapPolygon }
  | MetadataFilter
  | EvaluationFilter
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter };

/** A filter of labels or tags, in which a reserved value matches entities without any. */
export function setFilter(
  kind: 'labels' | 'tags',
  op: SetOp,
  given: readonly string[],
  options: Pick<LabelFilter, 'withNarrower' | 'of'> = {},
): Filter {
  const { name, filter: unconditional } = NONE[kind];
  const filter =
    kind === 'labels' && options.of !== undefined ? { ...NONE.labels.filter, of: options.of } : unconditional;
  const values = given.filter((value) => value !== name);
  if (values.length === given.length) return { kind, op, values, ...options };
  if (op === 'is_not') return { kind: 'not', filter: setFilter(kind, 'is', given, options) };
  if (op === 'not_one_of') return { kind: 'not', filter: setFilter(kind, 'one_of', given, options) };
  if (values.length === 0) return filter;
  return { kind: op === 'is' ? 'and' : 'or', filters: [{ kind, op, values, ...options }, filter] };
}
