import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { addFromLocation, Addition, MOST_ADDED, roleErrorOf } from './addition';
import { ArchiveChoice, FileChoice } from './file-choice';
import type { GrowingDataset } from './growth-rules';
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

/** Adds media to a dataset that is indexed, from a location, from files or from an archive. */
export function AddMediaDialog({
  dataset,
  onClose,
}: {
  readonly dataset: GrowingDataset;
  readonly onClose: () => void;
}) {
  const { id, display_name: name } = dataset;
  const [source, setSource] = useState<Source>('location');
  const [location, setLocation] = useState('');
  const [role, setRole] = useState('');
  const [chosen, setChosen] = useState<readonly PathFile[]>([]);
  const [archives, setArchives] = useState<readonly PathFile[]>([]);
  const [reindexes, setReindexes] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const isBucket = location.trim().startsWith('s3://');
  const addLocation = useMutation({
    mutationFn: () => addFromLocation(id, { uri: location, role: isBucket ? role : '' }, reindexes),
    onSuccess: () => {
      toast({ text: words.started(name) });
      onClose();
    },
    onSettled: () => datasetChanged(id),
  });
  const roleError = roleErrorOf(addLocation.error);
  const files = source === 'files' ? chosen : archives;
  const submit = () => {
    if (source === 'location') {
      addLocation.mutate();
      return;
    }
    startUpload(new Addition(dataset, source, reindexes), files);
    onClose();
  };
  const chooseArchive = (found: readonly PathFile[]) => {
    const [archive] = found.filter(isArchive);
    setRefusal(found.length > 1 ? words.oneArchive : archive === undefined ? words.noArchive : undefined);
    if (found.length === 1 && archive !== undefined) setArchives([archive]);
  };
  const chooseFiles = (found: readonly PathFile[]) => {
    if (found.length !== 1 || !isArchive(found[0]!)) {
      setChosen(withMore(chosen, found));
      return;
    }
    setSource('archive');
    chooseArchive(found);
  };
  const parts = batchCount(chosen, MOST_ADDED);
  return (
    <FormDialog
      title={words.title(name)}
      confirm={words.confirm}
      isDisabled={(source === 'location' ? location.trim() === '' : files.length === 0) || addLocation.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments label={words.from} choices={SOURCES} value={source} onChange={setSource} />
      {source === 'location' && (
        <>
          <LocationField
            label={words.location}
            hint={words.locationHint}
            value={location}
            error={roleError === undefined ? addLocation.error : null}
            onChange={setLocation}
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
      )}
      {source === 'files' && <FileChoice files={chosen} onChoose={chooseFiles} onClear={() => setChosen([])} />}
      {source === 'archive' && (
        <ArchiveChoice files={archives} onChoose={chooseArchive} onClear={() => setArchives([])} />
      )}
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
