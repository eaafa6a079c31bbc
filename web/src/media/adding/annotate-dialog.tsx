import { useState, type SubmitEvent } from 'react';
import { Button } from '../../design/button';
import { Dialog, DialogActions, DialogForm } from '../../design/dialog';
import { Segments } from '../../design/field';
import { texts } from '../../texts';
import { AnnotationChoice } from './annotation-choice';
import { ANNOTATION_MODES, GivenAnnotations, type AnnotationMode } from './given-annotations';
import type { GrowingDataset } from './growth-rules';
import type { PathFile } from './picked-files';
import { startUpload } from './uploads';
import styles from './adding.module.css';

const { annotate: words } = texts.adding;
const MODES = ANNOTATION_MODES.map((value) => ({ value, label: words.modes[value] }));

/** Gives labels, captions, boxes and fields to the media of a dataset, by files. */
export function AnnotateDialog({
  dataset,
  onClose,
}: {
  readonly dataset: GrowingDataset;
  readonly onClose: () => void;
}) {
  const [annotations, setAnnotations] = useState<readonly PathFile[]>([]);
  const [mode, setMode] = useState<AnnotationMode>('add');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    startUpload(new GivenAnnotations(dataset, mode), annotations);
    onClose();
  };
  return (
    <Dialog title={words.title(dataset.display_name)} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <p className={styles.hint}>{words.text}</p>
        <AnnotationChoice
          picked={{ media: [], annotations }}
          contents={texts.adding.annotations.contentsLater}
          onChange={(picked) => setAnnotations(picked.annotations)}
        />
        <Segments label={words.mode} choices={MODES} value={mode} onChange={setMode} />
        <p className={styles.hint}>{words.modeHints[mode]}</p>
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={annotations.length === 0}>
            {words.confirm}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
