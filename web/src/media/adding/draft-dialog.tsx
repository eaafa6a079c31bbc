import { useState } from 'react';
import { FormDialog } from '../../design/dialog';
import { texts } from '../../texts';
import { filesToSend, NOTHING_PICKED } from './annotation-rules';
import { FolderLabelField } from './folder-label-field';
import { labelsOfFiles } from './folder-labels';
import type { GrowthDialogProps } from './growth-rules';
import { NewDataset } from './new-dataset';
import { NewFiles } from './new-files';
import { startUpload } from './uploads';
import styles from './adding.module.css';

const { draft: words } = texts.adding;

/** Sends the files of a dataset whose upload did not come to its end. */
export function DraftDialog({ dataset: { id, display_name: name }, onClose }: GrowthDialogProps) {
  const [picked, setPicked] = useState(NOTHING_PICKED);
  const [choice, setChoice] = useState<boolean>();
  const labels = labelsOfFiles(filesToSend(picked));
  const isLabelled = labels.length > 0 && (choice ?? labels.length > 1);
  const submit = () => {
    startUpload(new NewDataset(name, isLabelled, id), filesToSend(picked));
    onClose();
  };
  return (
    <FormDialog
      title={words.title(name)}
      confirm={words.confirm}
      isDisabled={picked.media.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.hint}>{words.text}</p>
      <NewFiles picked={picked} onChange={setPicked} />
      <FolderLabelField labels={labels} isOn={isLabelled} onChange={setChoice} />
    </FormDialog>
  );
}
