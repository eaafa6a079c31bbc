import { useMayCreate } from '../api/access';
import { useMayChange } from '../api/datasets';
import { Button } from '../design/button';
import { texts } from '../texts';
import styles from './selection-bar.module.css';

const { selection: words } = texts.media;

/** Tags and exports, and says why where the caller may not. */
export function SelectionActions({
  datasetId,
  isDisabled,
  onTag,
  onExport,
}: {
  readonly datasetId: string;
  readonly isDisabled: boolean;
  readonly onTag: () => void;
  readonly onExport: () => void;
}) {
  const mayTag = useMayChange(datasetId);
  const mayExport = useMayCreate();
  return (
    <>
      {!(mayTag && mayExport) && <span className={styles.note}>{words.forbidden(mayTag, mayExport)}</span>}
      <Button kind="plain" icon="tag" isDisabled={isDisabled || !mayTag} onPress={onTag}>
        {words.tag}
      </Button>
      <Button kind="plain" icon="download" isDisabled={isDisabled || !mayExport} onPress={onExport}>
        {words.export}
      </Button>
    </>
  );
}
