import { useMayCreate } from '../api/access';
import { useMayChange, useMayOwn } from '../api/datasets';
import { Button } from '../design/button';
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
  return (
    <>
      {!(mayChange && mayExport) && <span className={styles.note}>{words.forbidden(mayChange, mayExport)}</span>}
      <Button kind="plain" icon="tag" isDisabled={isDisabled || !mayChange} onPress={() => onAction('tag')}>
        {words.tag}
      </Button>
      {mayChange && isOfPictures && (
        <Button kind="plain" icon="pencil" isDisabled={isDisabled} onPress={() => onAction('label')}>
          {texts.labelling.action}
        </Button>
      )}
      {mayOwn && isOfPictures && (
        <Button kind="plain" icon="tasks" isDisabled={isDisabled} onPress={() => onAction('review')}>
          {texts.review.these}
        </Button>
      )}
      {mayChange && (
        <Button kind="plain" icon="caption" isDisabled={isDisabled} onPress={() => onAction('field')}>
          {texts.describing.ofSelection.action}
        </Button>
      )}
      <Button kind="plain" icon="download" isDisabled={isDisabled || !mayExport} onPress={() => onAction('export')}>
        {words.export}
      </Button>
      {mayChange && (
        <>
          <Button kind="plain" icon="copy" isDisabled={isDisabled} onPress={() => onAction('copy')}>
            {copy.action}
          </Button>
          <Button kind="plain" icon="trash" isDisabled={isDisabled} onPress={() => onAction('remove')}>
            {remove.action}
          </Button>
        </>
      )}
    </>
  );
}
