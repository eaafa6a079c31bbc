import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { FormDialog } from '../../design/dialog';
import { Segments } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { importedBody, type EvaluationDraft } from '../evaluating/evaluation-draft';
import { AnnotationChoice } from './annotation-choice';
import { EvaluateAfterwards } from './evaluate-afterwards';
import { importedDraft, truthsFor, type ChosenEvaluation } from './evaluated-import';
import { FolderLabelCounts } from './folder-label-field';
import { folderLabels } from './folder-labels';
import {
  ANNOTATION_MODES,
  evaluatedAnnotations,
  GivenAnnotations,
  namedAnnotations,
  sourceAnnotations,
  type AnnotationMode,
} from './given-annotations';
import type { GrowthDialogProps } from './growth-rules';
import type { PathFile } from './picked-files';
import { SourceFiles, useImportPreview } from './source-files';
import type { SourceImport } from './source-import';
import { startUpload } from './uploads';
import { datasetChanged } from './use-reindex';
import styles from './adding.module.css';

const FROM = ['source', 'files', 'folders'] as const;
type From = (typeof FROM)[number];

const { annotate: words } = texts.adding;
const CHOICES = FROM.map((value) => ({ value, label: words.sources[value] }));
const MODES = ANNOTATION_MODES.map((value) => ({ value, label: words.modes[value] }));

const INTO: SourceImport = { source: '', kind: 'predictions', mode: 'add', format: null };

/** The labels that the folders of a dataset would give, and their assignment. */
function useFolderLabels({ dataset, onClose }: GrowthDialogProps, isAsked: boolean) {
  const { data: labels = null } = useQuery({
    queryKey: keys.of(dataset.id, 'facets', {}),
    queryFn: () => service.dataset(dataset.id).facets(),
    select: ({ folders }) => folderLabels(folders),
    enabled: isAsked,
  });
  const label = useMutation({
    mutationFn: (mode: AnnotationMode) => service.dataset(dataset.id).annotateByFolders(mode),
    onSuccess: () => {
      toast({ text: words.started(dataset.display_name) });
      onClose();
    },
    onSettled: () => datasetChanged(dataset.id),
  });
  return { labels, label, isComplete: labels !== null && labels.length > 0 && !label.isPending };
}

/** An evaluation opens unless the page was left in the meantime, because files may take long to send. */
function useOpenWhileHere(datasetId: string) {
  const navigate = useNavigate();
  return () => {
    const { pathname } = window.location;
    return (evaluationId: string) => {
      if (window.location.pathname === pathname) void navigate(`/datasets/${datasetId}/evaluate/${evaluationId}`);
    };
  };
}

/** The evaluation that is wanted of an import, and the fields that choose it. */
function useEvaluatedImport(datasetId: string, files: readonly PathFile[], into: SourceImport) {
  const { isUsable, sources, preview } = useImportPreview(datasetId, files, into);
  const [isWanted, setIsWanted] = useState(false);
  const [chosen, setChosen] = useState<ChosenEvaluation>({});
  const truths = truthsFor(sources, into);
  const draft = importedDraft(chosen, truths, into, preview);
  const change = (part: ChosenEvaluation) => setChosen((before) => ({ ...before, ...part }));
  return {
    isUsable,
    evaluation: isWanted ? draft : undefined,
    choice: draft && (
      <EvaluateAfterwards {...{ truths, draft, isOn: isWanted, onToggle: setIsWanted, onChange: change }} />
    ),
  };
}

/** Gives annotations to the media of a dataset, by files of any tool, by files with captions and fields too, or by folders. */
export function AnnotateDialog(props: GrowthDialogProps) {
  const { dataset, onClose } = props;
  const [from, setFrom] = useState<From>('source');
  const [files, setFiles] = useState<readonly PathFile[]>([]);
  const [into, setInto] = useState(INTO);
  const [annotations, setAnnotations] = useState<readonly PathFile[]>([]);
  const [mode, setMode] = useState<AnnotationMode>('add');
  const { isUsable, evaluation, choice } = useEvaluatedImport(dataset.id, files, into);
  const openEvaluation = useOpenWhileHere(dataset.id);
  const sentBy = (source: SourceImport, draft: EvaluationDraft | undefined) =>
    draft === undefined
      ? sourceAnnotations(source)
      : evaluatedAnnotations(source, importedBody(draft), openEvaluation());
  const folders = useFolderLabels(props, from === 'folders');
  const isComplete: Readonly<Record<From, boolean>> = {
    source: isUsable,
    files: annotations.length > 0,
    folders: folders.isComplete,
  };
  const submit = () => {
    if (from === 'folders') {
      folders.label.mutate(mode);
      return;
    }
    if (from === 'source') startUpload(new GivenAnnotations(dataset, sentBy(into, evaluation)), files);
    else startUpload(new GivenAnnotations(dataset, namedAnnotations(mode)), annotations);
    onClose();
  };
  return (
    <FormDialog
      title={words.title(dataset.display_name)}
      confirm={words.confirm}
      isDisabled={!isComplete[from]}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments label={words.from} choices={CHOICES} value={from} onChange={setFrom} />
      <p className={styles.hint}>{words.texts[from]}</p>
      {from === 'source' && (
        <>
          <SourceFiles datasetId={dataset.id} files={files} onFiles={setFiles} into={into} onInto={setInto} />
          {choice}
        </>
      )}
      {from === 'files' && <NamedFiles annotations={annotations} onChange={setAnnotations} />}
      {from === 'folders' && <Folders labels={folders.labels} error={folders.label.error} />}
      {from !== 'source' && <ModeChoice mode={mode} onChange={setMode} />}
    </FormDialog>
  );
}

const NamedFiles = ({
  annotations,
  onChange,
}: {
  readonly annotations: readonly PathFile[];
  readonly onChange: (annotations: readonly PathFile[]) => void;
}) => (
  <AnnotationChoice
    picked={{ media: [], annotations }}
    contents={texts.adding.annotations.contentsLater}
    onChange={(picked) => onChange(picked.annotations)}
  />
);

function Folders({
  labels,
  error,
}: {
  readonly labels: ReturnType<typeof folderLabels> | null;
  readonly error: Error | null;
}) {
  return (
    <>
      {labels?.length === 0 && <p className={styles.hint}>{texts.adding.folderLabels.none}</p>}
      {labels !== null && labels.length > 0 && <FolderLabelCounts labels={labels} total={labels.length} />}
      {error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
    </>
  );
}

const ModeChoice = ({
  mode,
  onChange,
}: {
  readonly mode: AnnotationMode;
  readonly onChange: (mode: AnnotationMode) => void;
}) => (
  <>
    <Segments label={words.mode} choices={MODES} value={mode} onChange={onChange} />
    <p className={styles.hint}>{words.modeHints[mode]}</p>
  </>
);
