import { useMayCreate } from '../api/access';
import { useMayChange, useMayOwn } from '../api/datasets';
import { Button } from '../design/button';
import type { IconName } from '../design/icon';
import { texts } from '../texts';
import type { SelectionAction } from './selection-dialogs';
import styles from './selection-bar.module.css';

const { selection: words } = texts.media;
const { copy, remove } = texts.subsets;

/** The actions on media, with the reason if the caller may not use one. */
export function SelectionActions({
  datasetId,
  isOfPictures,
  isDisabled,
  onAction,
}: {
  readonly datasetId: string;
  /** Whether the media may be images and frames, which have labels of their own. */
  readonly isOfPictures: boolean;
  readonly isDisabled: boolean;
  readonly onAction: (action: SelectionAction) => void;
}) {
  const mayChange = useMayChange(datasetId);
  const mayOwn = useMayOwn(datasetId);
  const mayExport = useMayCreate();
  const button = (action: SelectionAction, icon: IconName, text: string, mayUse = true) => (
    <Button kind="plain" icon={icon} isDisabled={isDisabled || !mayUse} onPress={() => onAction(action)}>
      {text}
    </Button>
  );
  return (
    <>
      {!(mayChange && mayExport) && <span className={styles.note}>{words.forbidden(mayChange, mayExport)}</span>}
      {button('tag', 'tag', words.tag, mayChange)}
      {mayChange && isOfPictures && button('label', 'pencil', texts.labelling.action)}
      {mayOwn && isOfPictures && button('review', 'tasks', texts.review.these)}
      {mayChange && button('field', 'caption', texts.describing.ofSelection.action)}
      {button('export', 'download', words.export, mayExport)}
      {mayChange && button('copy', 'copy', copy.action)}
      {mayChange && button('remove', 'trash', remove.action)}
    </>
  );
}
