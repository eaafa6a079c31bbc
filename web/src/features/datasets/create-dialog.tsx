import { useState, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { Dialog, DialogActions, DialogForm } from '../../design/dialog';
import { Segments, TextField } from '../../design/field';
import { toast } from '../../design/toast';
import { AnnotationFormats } from '../../media/adding/annotation-choice';
import { filesToSend, NOTHING_PICKED, withChosen } from '../../media/adding/annotation-rules';
import { LocationField } from '../../media/adding/location-field';
import { NewDataset } from '../../media/adding/new-dataset';
import { NewFiles } from '../../media/adding/new-files';
import { commonFolder, type PathFile } from '../../media/adding/picked-files';
import { startUpload } from '../../media/adding/uploads';
import { texts } from '../../texts';

type Source = 'location' | 'files';

const { form: words } = texts.datasets;
const SOURCES = (['location', 'files'] as const).map((value) => ({ value, label: words.sources[value] }));

export function CreateDialog({
  initialFiles = [],
  onClose,
}: {
  readonly initialFiles?: readonly PathFile[];
  readonly onClose: () => void;
}) {
  const [source, setSource] = useState<Source>(initialFiles.length > 0 ? 'files' : 'location');
  const [name, setName] = useState(commonFolder(initialFiles) ?? '');
  const [location, setLocation] = useState('');
  const [picked, setPicked] = useState(() => withChosen(NOTHING_PICKED, initialFiles));
  const create = useMutation({
    mutationFn: () => service.createDataset(name, location),
    onSuccess: () => {
      toast({ text: words.started(name) });
      void queries.invalidateQueries({ queryKey: keys.datasets });
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (source === 'location') {
      create.mutate();
      return;
    }
    startUpload(new NewDataset(name), filesToSend(picked));
    onClose();
  };
  const nameAfter = (chosen: readonly PathFile[]) => {
    if (name === '') setName(commonFolder(chosen) ?? words.defaultName);
  };
  const isComplete = name !== '' && (source === 'location' ? location !== '' : picked.media.length > 0);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <Segments label={words.from} choices={SOURCES} value={source} onChange={setSource} />
        {source === 'location' ? (
          <LocationField
            label={words.location}
            hint={words.locationHint}
            value={location}
            error={create.error}
            onChange={setLocation}
          />
        ) : (
          <NewFiles picked={picked} onChange={setPicked} onChoose={nameAfter} />
        )}
        <TextField label={words.name} value={name} maxLength={255} onChange={({ target }) => setName(target.value)} />
        {source === 'location' && <AnnotationFormats lead={texts.adding.annotations.leadOfLocation} />}
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          <Button kind="primary" type="submit" isDisabled={!isComplete || create.isPending}>
            {words.create}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}
