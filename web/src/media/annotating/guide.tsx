import { texts } from '../../texts';
import { editedMask } from './masking';
import type { EditMode } from './use-edit-mode';
import styles from './annotating.module.css';

const { annotating: words } = texts;

/** What the tool does next. */
export function Guide({
  mode,
  drawn,
  brush,
}: {
  readonly mode: EditMode;
  /** Points. */
  readonly drawn: number;
  readonly brush: number;
}) {
  const text = guideOf(mode, drawn, brush);
  return (
    text !== undefined && (
      <p role="status" className={styles.guide}>
        {text}
      </p>
    )
  );
}

function guideOf(mode: EditMode, drawn: number, brush: number): string | undefined {
  const mask = editedMask(mode) === null ? null : mode.waiting === null ? mode.selected!.label : '';
  switch (mode.tool) {
    case 'keypoints':
      return words.nextPoint(mode.skeleton?.points ?? [], drawn);
    case 'brush':
      return words.brush(mask, brush);
    case 'eraser':
      return words.eraser(mask, brush);
    case 'polygon':
      return mask === null ? undefined : words.polygonOfMask(mask);
    case 'take':
      return words.take(mode.source);
    case 'select':
    case 'box':
      return undefined;
  }
}
