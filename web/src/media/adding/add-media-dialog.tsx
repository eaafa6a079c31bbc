import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { addFromLocation, Addition, MOST_ADDED, roleErrorOf } from './addition';
import { ArchiveChoice, FileChoice } from './file-choice';
import type { GrowthDialogProps } from './growth-rules';
import { LocationField } from './location-field';
import type { PathFile } from './picked-files';
import { batchCount, isArchive, withMore } from './upload-rules';
import { startUpload } from './uploads';
import { datasetChanged } from './use-reindex';
import styles from './adding.module.css';

type Source = 'location' | 'files' | 'archive';

const { add: words } = texts.adding;
const MOST_OF_ROLE = 2048;
const SOURCES = (['location', 'files', 'archive'] as const).map((value) => ({ value, label: words.sources[value] }));

interface Adding extends GrowthDialogProps {
  readonly reindexes: boolean;
}

/** The location that media are added from, and the role to read a bucket with. */
function useLocation({ dataset: { id, display_name: name }, reindexes, onClose }: Adding) {
  const [uri, setUri] = useState('');
  const [role, setRole] = useState('');
  const isBucket = uri.trim().startsWith('s3://');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => addFromLocation(id, { uri, role: isBucket ? role : '' }, reindexes),
    onSuccess: () => {
      toast({ text: words.started(name) });
      onClose();
    },
    onSettled: () => datasetChanged(id),
  });
  return { uri, setUri, role, setRole, isBucket, error, isPending, add: () => mutate() };
}

function LocationFields({ of }: { readonly of: ReturnType<typeof useLocation> }) {
  const { uri, setUri, role, setRole, isBucket, error } = of;
  const roleError = roleErrorOf(error);
  return (
    <>
      <LocationField
        label={words.location}
        hint={words.locationHint}
        value={uri}
        error={roleError === undefined ? error : null}
        onChange={setUri}
      />
      {isBucket && (
        <TextField
          label={words.role}
          hint={words.roleHint}
          value={role}
          error={roleError}
          maxLength={MOST_OF_ROLE}
          spellCheck={false}
          onChange={({ target }) => setRole(target.value)}
        />
      )}
    </>
  );
}

/** The files, or the archive, that are uploaded. An archive among files is taken for one. */
function useFiles(setSource: (source: Source) => void) {
  const [files, setFiles] = useState<readonly PathFile[]>([]);
  const [archives, setArchives] = useState<readonly PathFile[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const chooseArchive = (found: readonly PathFile[]) => {
    const [archive] = found.filter(isArchive);
    setRefusal(found.length > 1 ? words.oneArchive : archive === undefined ? words.noArchive : undefined);
    if (found.length === 1 && archive !== undefined) setArchives([archive]);
  };
  const chooseFiles = (found: readonly PathFile[]) => {
    if (found.length !== 1 || !isArchive(found[0]!)) {
      setFiles(withMore(files, found));
      return;
    }
    setSource('archive');
    chooseArchive(found);
  };
  return {
    files: { files, onChoose: chooseFiles, onClear: () => setFiles([]) },
    archive: { files: archives, onChoose: chooseArchive, onClear: () => setArchives([]) },
    refusal,
  };
}

/** Adds media to a dataset that is indexed, from a location, from files or from an archive. */
export function AddMediaDialog({ dataset, onClose }: GrowthDialogProps) {
  const [source, setSource] = useState<Source>('location');
  const [reindexes, setReindexes] = useState(false);
  const location = useLocation({ dataset, reindexes, onClose });
  const { files, archive, refusal } = useFiles(setSource);
  const chosen = source === 'archive' ? archive.files : files.files;
  const submit = () => {
    if (source === 'location') {
      location.add();
      return;
    }
    startUpload(new Addition(dataset, source, reindexes), chosen);
    onClose();
  };
  const parts = batchCount(files.files, MOST_ADDED);
  return (
    <FormDialog
      title={words.title(dataset.display_name)}
      confirm={words.confirm}
      isDisabled={(source === 'location' ? location.uri.trim() === '' : chosen.length === 0) || location.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments label={words.from} choices={SOURCES} value={source} onChange={setSource} />
      {source === 'location' && <LocationFields of={location} />}
      {source === 'files' && <FileChoice {...files} />}
      {source === 'archive' && <ArchiveChoice {...archive} />}
      {source === 'archive' && refusal !== undefined && (
        <p className={styles.error} role="alert">
          {refusal}
        </p>
      )}
      {source === 'files' && parts > 1 && <p className={styles.hint}>{words.parts(parts)}</p>}
      <CheckField label={words.reindex} hint={words.reindexHint} isOn={reindexes} onChange={setReindexes} />
    </FormDialog>
  );
}
