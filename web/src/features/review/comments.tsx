import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { errorText, Pending } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { DialogForm } from '../../design/dialog';
import { TextArea } from '../../design/field';
import { peopleQuery } from '../../media/people-query';
import { texts } from '../../texts';
import { formatShortTime } from '../../texts/format';
import styles from './review.module.css';

const { comments: words } = texts.review;
/** Of the API. */
const MOST_TEXT = 2_000;

interface ItemProps {
  readonly datasetId: string;
  readonly queueId: string;
  readonly itemId: string;
}

const commentsOf = ({ datasetId, queueId, itemId }: ItemProps) => {
  const params = { path: { dataset_id: datasetId, queue_id: queueId, item_id: itemId } };
  const route = '/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/items/{item_id}/comments';
  const queryKey = keys.of(datasetId, 'review', queueId, 'comments', itemId);
  return {
    list: { queryKey, queryFn: async () => (await answered(service.api.GET(route, { params }))).comments },
    add: (body: { readonly text: string; readonly mentions: string[] }) =>
      answered(service.api.POST(route, { params, body })),
  } as const;
};

/** What people say about an item, and a field to add to it. */
export function Comments(props: ItemProps) {
  const listing = useQuery(commentsOf(props).list);
  return (
    <section className={styles.comments} aria-label={words.title}>
      <h3>{words.title}</h3>
      <Pending of={listing} height={40} />
      {listing.data?.length === 0 && <p className={styles.muted}>{words.none}</p>}
      {listing.data !== undefined && listing.data.length > 0 && (
        <ul>
          {listing.data.map(({ id, author, text, mentions, created_at: time }) => (
            <li key={id}>
              <small>
                <bdi>{author}</bdi>, {formatShortTime(time)}
                {mentions.length > 0 && `, ${words.told(mentions)}`}
              </small>
              <p dir="auto">{text}</p>
            </li>
          ))}
        </ul>
      )}
      <NewComment {...props} />
    </section>
  );
}

function NewComment(props: ItemProps) {
  const { data: people = [] } = useQuery(peopleQuery(props.datasetId));
  const [text, setText] = useState('');
  const [mentions, setMentions] = useState<readonly string[]>([]);
  const { list, add } = commentsOf(props);
  const comment = useMutation({
    mutationFn: add,
    onSuccess: () => {
      setText('');
      setMentions([]);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: list.queryKey }),
  });
  const toggle = (email: string) =>
    setMentions(mentions.includes(email) ? mentions.filter((each) => each !== email) : [...mentions, email]);
  return (
    <DialogForm onSubmit={() => comment.mutate({ text, mentions: [...mentions] })}>
      <TextArea
        label={words.text}
        rows={2}
        value={text}
        maxLength={MOST_TEXT}
        dir="auto"
        error={errorText(comment.error)}
        onChange={({ target }) => setText(target.value)}
      />
      {people.length > 1 && (
        <div className={styles.told} role="group" aria-label={words.tell}>
          <small>{words.tell}</small>
          {people.map(({ email }) => (
            <button
              key={email}
              type="button"
              className={styles.option}
              aria-pressed={mentions.includes(email)}
              onClick={() => toggle(email)}
            >
              <bdi>{email}</bdi>
            </button>
          ))}
        </div>
      )}
      <div>
        <Button type="submit" isDisabled={text.trim() === '' || comment.isPending}>
          {words.send}
        </Button>
      </div>
    </DialogForm>
  );
}
