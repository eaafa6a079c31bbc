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
import type { GrowthDialogProps } from './growth-rules';
import type { PathFile } from './picked-files';
import { startUpload } from './uploads';
import { datasetChanged } from './use-reindex';
import styles from './adding.module.css';

type Source = 'files' | 'folders';

const { annotate: words } = texts.adding;
const SOURCES = (['files', 'folders'] as const).map((value) => ({ value, label: words.sources[value] }));
const MODES = ANNOTATION_MODES.map((value) => ({ value, label: words.modes[value] }));

/** The labels that the folders of a dataset would give. */
const useFolders = (datasetId: string, isAsked: boolean) =>
  useQuery({
    queryKey: keys.of(datasetId, 'facets', {}),
    queryFn: () => service.dataset(datasetId).facets(),
    select: ({ folders }) => folderLabels(folders),
    enabled: isAsked,
  });

/** Gives labels, captions, boxes and fields to the media of a dataset, by files. */
export function AnnotateDialog({ dataset, onClose }: GrowthDialogProps) {
  const [annotations, setAnnotations] = useState<readonly PathFile[]>([]);
  const [mode, setMode] = useState<AnnotationMode>('add');
  const [source, setSource] = useState<Source>('files');
  const { data: labels } = useFolders(dataset.id, source === 'folders');
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
  const isComplete = source === 'files' ? annotations.length > 0 : (labels ?? []).length > 0 && !label.isPending;
  return (
    <FormDialog
      title={words.title(dataset.display_name)}
      confirm={words.confirm}
      isDisabled={!isComplete}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments label={words.from} choices={SOURCES} value={source} onChange={setSource} />
      <p className={styles.hint}>{words.texts[source]}</p>
      {source === 'files' && (
        <AnnotationChoice
          picked={{ media: [], annotations }}
          contents={texts.adding.annotations.contentsLater}
          onChange={(picked) => setAnnotations(picked.annotations)}
        />
      )}
      {source === 'folders' && labels !== undefined && <Folders labels={labels} />}
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

function Folders({ labels }: { readonly labels: ReturnType<typeof folderLabels> }) {
  if (labels.length === 0) return <p className={styles.hint}>{texts.adding.folderLabels.none}</p>;
  return <FolderLabelCounts labels={labels} total={labels.length} />;
}
