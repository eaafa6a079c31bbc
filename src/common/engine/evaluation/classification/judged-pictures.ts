import type { Collected } from '../collected';
import type { EvaluationOptions } from '../plan';
import { labelModeOf, type LabelMode } from './settle-labels';

export interface JudgedPictures {
  readonly mode: LabelMode;
  /** Where pictures have one label, those whose label is known, otherwise those with a label of either source. */
  readonly pictures: number;
}

export function judgedPictures(options: EvaluationOptions, collected: Collected): JudgedPictures {
  const { truthFirsts, truthCounts } = collected.columns;
  const mode = labelModeOf(options, collected.columns);
  if (mode === 'single') return { mode, pictures: truthCounts.reduce((sum, counts) => sum + counts, 0) };
  let pictures = 0;
  for (let picture = 0; picture < truthFirsts.length - 1; picture++) if (hasLabel(collected, picture)) pictures++;
  return { mode, pictures };
}

/** Of either source. */
export function hasLabel({ columns, predictionBits }: Collected, picture: number): boolean {
  const { truthFirsts, truthCounts, predictionFirsts } = columns;
  return (
    truthCounts.subarray(truthFirsts[picture], truthFirsts[picture + 1]).includes(1) ||
    predictionBits.subarray(predictionFirsts[picture], predictionFirsts[picture + 1]).some((bits) => bits !== 0)
  );
}
