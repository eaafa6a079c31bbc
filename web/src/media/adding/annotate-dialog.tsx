import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { FormDialog } from '../../design/dialog';
import { Segments } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { AnnotationChoice } from './annotation-choice';
import { FolderLabelCounts } from './folder-label-field';
import { folderLabels } from './folder-labels';
import { ANNOTATION_MODES, GivenAnnotations, type AnnotationMode } from './given-annotations';
import type { GrowingDataset } from './growth-rules';
import type { PathFile } from './picked-files';
import { startUpload } from './uploads';
import { datasetChanged } from './use-reindex';
import styles from './adding.module.css';

type Source = 'files' | 'folders';

const { annotate: words } = texts.adding;
const SOURCES = (['files', 'folders'] as const).map((value) => ({ value, label: words.sources[value] }));
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
  const [source, setSource] = useState<Source>('files');
  const { data } = useQuery({
    queryKey: keys.of(dataset.id, 'facets', {}),
    queryFn: () => service.dataset(dataset.id).facets(),
    enabled: source === 'folders',
  });
  const labels = folderLabels(data?.folders ?? []);
  const label = useMutation({
    mutationFn: () => service.dataset(dataset.id).annotateByFolders(mode),
    onSuccess: () => {
      toast({ text: words.started(dataset.display_name) });
      onClose();
    },
    onSettled: () => datasetChanged(dataset.id),
  });
  const submit = () => {
    if (source === 'folders') {
      label.mutate();
      return;
    }
    startUpload(new GivenAnnotations(dataset, mode), annotations);
    onClose();
  };
  return (
    <FormDialog
      title={words.title(dataset.display_name)}
      confirm={words.confirm}
      isDisabled={source === 'files' ? annotations.length === 0 : labels.length === 0 || label.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments label={words.from} choices={SOURCES} value={source} onChange={setSource} />
      <p className={styles.hint}>{words.texts[source]}</p>
      {source === 'files' ? (
        <AnnotationChoice
          picked={{ media: [], annotations }}
          contents={texts.adding.annotations.contentsLater}
          onChange={(picked) => setAnnotations(picked.annotations)}
        />
      ) : labels.length > 0 ? (
        <FolderLabelCounts labels={labels} total={labels.length} />
      ) : (
        data !== undefined && <p className={styles.hint}>{texts.adding.folderLabels.none}</p>
      )}
      {label.error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(label.error)}
        </p>
      )}
      <Segments label={words.mode} choices={MODES} value={mode} onChange={setMode} />
      <p className={styles.hint}>{words.modeHints[mode]}</p>
    </FormDialog>
  );
}
