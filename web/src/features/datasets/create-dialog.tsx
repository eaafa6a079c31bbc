import { useMemo, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { FormDialog } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { AnnotationFormats } from '../../media/adding/annotation-choice';
import { filesToSend, NOTHING_PICKED, withChosen, type PickedFiles } from '../../media/adding/annotation-rules';
import { FolderLabelField } from '../../media/adding/folder-label-field';
import { labelsOfFiles } from '../../media/adding/folder-labels';
import { LocationField } from '../../media/adding/location-field';
import { NewDataset } from '../../media/adding/new-dataset';
import { NewFiles } from '../../media/adding/new-files';
import { commonFolder, type PathFile } from '../../media/adding/picked-files';
import { startUpload } from '../../media/adding/uploads';
import { texts } from '../../texts';

type Source = 'location' | 'files';

const { form: words } = texts.datasets;
const SOURCES = (['location', 'files'] as const).map((value) => ({ value, label: words.sources[value] }));

/** The labels of the folders at a location; undefined while they are unknown, or cannot be read. */
const useFolderLabels = (location: string) =>
  useQuery({
    queryKey: ['folder-labels', location],
    queryFn: () => {
      const params = { query: { bucket_path: location } };
      return answered(service.api.GET('/api/v1/ingestion/folder_labels', { params }));
    },
    enabled: location !== '',
    retry: false,
  }).data;

/** Whether the folders of the media become their labels: one folder may be that of all media, so it does not unless people choose so. */
function useLabelling(source: Source, picked: PickedFiles, location: string) {
  const [choice, setChoice] = useState<boolean>();
  const atLocation = useFolderLabels(source === 'location' ? location.trim() : '');
  const ofFiles = useMemo(() => labelsOfFiles(filesToSend(picked)), [picked]);
  const labels = source === 'files' ? ofFiles : (atLocation?.labels ?? []);
  return {
    labels,
    total: source === 'files' ? undefined : atLocation?.labels_total,
    isOn: labels.length > 0 && (choice ?? labels.length > 1),
    onChange: setChoice,
  };
}

/** Makes a dataset of what is at a location. */
const useCreation = (
  {
    name,
    location,
    labelsFromFolders,
  }: { readonly name: string; readonly location: string; readonly labelsFromFolders: boolean },
  onStarted: () => void,
) =>
  useMutation({
    mutationFn: () => service.createDataset(name, location, { labelsFromFolders }),
    onSuccess: () => {
      toast({ text: words.started(name) });
      void queries.invalidateQueries({ queryKey: keys.datasets });
      onStarted();
    },
  });

interface CreateDialogProps {
  readonly initialFiles?: readonly PathFile[];
  readonly onClose: () => void;
}

export function CreateDialog({ initialFiles = [], onClose }: CreateDialogProps) {
  const [source, setSource] = useState<Source>(initialFiles.length > 0 ? 'files' : 'location');
  const [name, setName] = useState(commonFolder(initialFiles) ?? '');
  const [location, setLocation] = useState('');
  const [settled, setSettled] = useState('');
  const [picked, setPicked] = useState(() => withChosen(NOTHING_PICKED, initialFiles));
  const labelling = useLabelling(source, picked, location === settled ? location : '');
  const create = useCreation({ name, location, labelsFromFolders: labelling.isOn }, onClose);
  const submit = () => {
    if (source === 'location') {
      create.mutate();
      return;
    }
    startUpload(new NewDataset(name, labelling.isOn), filesToSend(picked));
    onClose();
  };
  const nameAfter = (chosen: readonly PathFile[]) => {
    if (name === '') setName(commonFolder(chosen) ?? words.defaultName);
  };
  const isComplete = name !== '' && (source === 'location' ? location !== '' : picked.media.length > 0);
  return (
    <FormDialog
      title={words.title}
      confirm={words.create}
      isDisabled={!isComplete || create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments label={words.from} choices={SOURCES} value={source} onChange={setSource} />
      {source === 'location' ? (
        <LocationField
          label={words.location}
          hint={words.locationHint}
          value={location}
          error={create.error}
          onChange={setLocation}
          onSettle={setSettled}
        />
      ) : (
        <NewFiles picked={picked} onChange={setPicked} onChoose={nameAfter} />
      )}
      <TextField label={words.name} value={name} maxLength={255} onChange={({ target }) => setName(target.value)} />
      <FolderLabelField {...labelling} />
      {source === 'location' && <AnnotationFormats lead={texts.adding.annotations.leadOfLocation} />}
    </FormDialog>
  );
}
