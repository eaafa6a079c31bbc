import { useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/failure';
import { Button } from '../../design/button';
import { TextArea } from '../../design/field';
import { texts } from '../../texts';
import { Section } from '../media-section';
import { useOwnFields } from '../tile-values';
import {
  changeBetween,
  descriptionOf,
  valueIn,
  writtenOf,
  type Description,
  type DescriptionChange,
  type Field,
  type FieldValue,
  type Written,
} from './description';
import { describeMedia } from './describe-media';
import { FieldInput } from './field-input';
import styles from './describing.module.css';

type MediaDetail = components['schemas']['MediaDetail'];

const { describing: words } = texts;
/** Of the API. */
export const MOST_CAPTION = 10_000;

const NO_FIELDS: readonly Field[] = [];

interface Draft {
  readonly caption: string;
  readonly fields: ReadonlyMap<string, Written>;
}

function useDescription(datasetId: string, media: MediaDetail) {
  const { data: fields = NO_FIELDS } = useOwnFields(datasetId);
  const before = descriptionOf(media);
  /** Null while nothing was written. */
  const [draft, setDraft] = useState<Draft | null>(null);
  const written = draft ?? draftOf(before);
  const after = described(written, before, fields);
  const change = after && changeBetween(before, after, fields);
  const saving = useSaving(datasetId, media.media_id, () => setDraft(null));
  const save = () => {
    const back = after && changeBetween(after, before, fields);
    if (change !== undefined && back !== undefined && !saving.isPending) saving.save({ change, back });
  };
  return { fields, draft, written, setDraft, isChanged: change !== undefined, saving, save };
}

/** The caption and the fields of the picture, to change. */
export function MediaDescription({ datasetId, media }: { readonly datasetId: string; readonly media: MediaDetail }) {
  const { fields, draft, written, setDraft, isChanged, saving, save } = useDescription(datasetId, media);
  return (
    <Section title={words.description}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
          if (event.key !== 'Escape' || draft === null) return;
          setDraft(null);
          // It would close the picture.
          event.stopPropagation();
        }}
      >
        <TextArea
          label={words.caption}
          error={errorText(saving.error)}
          value={written.caption}
          maxLength={MOST_CAPTION}
          rows={3}
          dir="auto"
          onChange={({ target }) => setDraft({ ...written, caption: target.value })}
        />
        {fields.map((field) => (
          <FieldInput
            key={field.field_name}
            field={field}
            written={written.fields.get(field.field_name) ?? ''}
            onChange={(value) => setDraft({ ...written, fields: new Map(written.fields).set(field.field_name, value) })}
          />
        ))}
        <Actions saving={saving} isChanged={isChanged} />
      </form>
    </Section>
  );
}

function Actions({
  saving: { isPending, last, save, warnings },
  isChanged,
}: {
  readonly saving: ReturnType<typeof useSaving>;
  readonly isChanged: boolean;
}) {
  return (
    <div className={styles.row}>
      <Button type="submit" isDisabled={!isChanged || isPending}>
        {words.save}
      </Button>
      {last !== null && !isChanged && (
        <Button
          icon={last.isUndo ? 'redo' : 'undo'}
          isDisabled={isPending}
          onPress={() => save({ change: last.back, back: last.change, isUndo: !last.isUndo })}
        >
          {last.isUndo ? words.redo : words.undo}
        </Button>
      )}
      <span role="status" className={styles.status}>
        {isPending ? words.saving : last === null ? '' : [words.saved, ...warnings].join(' ')}
      </span>
    </div>
  );
}

const draftOf = ({ caption, fields }: Description): Draft => ({
  caption: caption ?? '',
  fields: new Map([...fields].map(([name, value]) => [name, writtenOf(value)])),
});

/** Undefined if one of the texts is no value of its field. */
function described(draft: Draft, before: Description, fields: readonly Field[]): Description | undefined {
  const values = new Map<string, FieldValue>();
  for (const field of fields) {
    const value = valueIn(field, draft.fields.get(field.field_name) ?? '');
    if (value === undefined) return undefined;
    values.set(field.field_name, value);
  }
  const caption = draft.caption === (before.caption ?? '') ? before.caption : draft.caption.trim();
  return { caption: caption === '' ? null : caption, fields: values };
}

interface Saved {
  readonly change: DescriptionChange;
  /** Takes the change back. */
  readonly back: DescriptionChange;
  readonly isUndo?: boolean;
}

/** Saving is a task that writes the table anew, and so is its undo. */
function useSaving(datasetId: string, mediaId: string, onSaved: () => void) {
  const [last, setLast] = useState<Saved | null>(null);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: ({ change }: Saved) => describeMedia(datasetId, [mediaId], change),
    onSuccess: (_described, saved) => {
      setLast(saved);
      onSaved();
    },
  });
  return { save: mutate, isPending, error, last, warnings: data?.warnings ?? [] };
}
