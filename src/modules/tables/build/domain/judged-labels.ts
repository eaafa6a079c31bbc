import type { MediaRow } from '../../../../common/engine/media-table/media-row';
import type { LabelIssues } from '../../../../common/engine/similarity/labels/judge-labels';

export interface JudgedLabels {
  readonly issues: LabelIssues;
  /** Of the label numbers in it. */
  readonly names: readonly string[];
}

type LabelColumns = Pick<MediaRow, 'mislabelConfidence' | 'suggestedLabel' | 'classOutlierConfidence'>;

const NOT_JUDGED: LabelColumns = { mislabelConfidence: null, suggestedLabel: null, classOutlierConfidence: null };

/** The columns of an item; null as long as nothing has a label. */
export const labelColumnsOf = (judged: JudgedLabels | null, item: number): LabelColumns =>
  judged === null
    ? NOT_JUDGED
    : {
        mislabelConfidence: judged.issues.mislabel[item]!,
        suggestedLabel: judged.names[judged.issues.suggested[item]!] ?? null,
        classOutlierConfidence: judged.issues.classOutlier[item]!,
      };
