import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { errorText } from '../../api/failure';
import { keys } from '../../api/keys';
import { CheckField } from '../../design/choices';
import { FormDialog } from '../../design/dialog';
import { TextField } from '../../design/field';
import { texts } from '../../texts';
import styles from './webhooks.module.css';

const { form: words, events: eventNames } = texts.webhooks;

type Event = keyof typeof eventNames;

const EVENTS = Object.keys(eventNames) as Event[];

interface CreateWebhookProps {
  readonly datasetId: string;
  readonly onCreated: (secret: string) => void;
  readonly onClose: () => void;
}

export function CreateWebhookDialog({ datasetId, onCreated, onClose }: CreateWebhookProps) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly Event[]>(EVENTS);
  const create = useMutation({
    mutationFn: () =>
      answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/webhooks', {
          params: { path: { dataset_id: datasetId } },
          body: { url, events: [...events] },
        }),
      ),
    onSuccess: ({ secret }) => {
      void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'webhooks') });
      onCreated(secret);
    },
  });
  return (
    <FormDialog
      title={words.title}
      confirm={words.create}
      isDisabled={url === '' || events.length === 0 || create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.url}
        hint={words.urlHint}
        type="url"
        placeholder="https://"
        autoFocus
        value={url}
        error={errorText(create.error)}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset className={styles.choices}>
        <legend>{words.events}</legend>
        {EVENTS.map((event) => (
          <CheckField
            key={event}
            label={eventNames[event]}
            isOn={events.includes(event)}
            onChange={(isOn) => setEvents(isOn ? [...events, event] : events.filter((other) => other !== event))}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
