import type { Collected } from '../collected';
import type { EvaluationOptions } from '../plan';
import { labelModeOf, type LabelMode } from './settle-labels';

export interface JudgedPictures {
  readonly mode: LabelMode;
  /** Where pictures have one label, those whose label is known, otherwise those with a label of either source. */
  readonly pictures: Int32Array;
}

export function judgedPictures(options: EvaluationOptions, collected: Collected): JudgedPictures {
  const mode = labelModeOf(options, collected.columns);
  const isJudged = mode === 'single' ? isKnown : hasLabel;
  const all = Int32Array.from({ length: collected.columns.truthFirsts.length - 1 }, (_, picture) => picture);
  return { mode, pictures: all.filter((picture) => isJudged(collected, picture)) };
}

const isKnown = ({ columns: { truthFirsts, truthCounts } }: Collected, picture: number): boolean =>
  truthCounts.subarray(truthFirsts[picture], truthFirsts[picture + 1]).includes(1);

/** Of either source. */
export function hasLabel(collected: Collected, picture: number): boolean {
  const { columns, predictionBits } = collected;
  const { predictionFirsts } = columns;
  return (
    isKnown(collected, picture) ||
    predictionBits.subarray(predictionFirsts[picture], predictionFirsts[picture + 1]).some((bits) => bits !== 0)
  );
}
