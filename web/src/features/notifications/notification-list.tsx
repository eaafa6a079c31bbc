import type { Notification } from 'dataset-media-service-sdk';
import { Link } from 'react-router';
import { IconButton } from '../../design/button';
import { texts } from '../../texts';
import { formatShortTime, formatTime } from '../../texts/format';
import { contentOf, useReadOne } from './notification-queries';
import styles from './notifications.module.css';

const { notifications: words } = texts;

/** Opening one marks it as read. */
export function NotificationItems({
  all,
  onOpen,
}: {
  readonly all: readonly Notification[];
  readonly onOpen?: () => void;
}) {
  return (
    <ul className={styles.list} aria-label={words.list}>
      {all.map((notification) => (
        <Item key={notification.id} notification={notification} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Item({
  notification,
  onOpen,
}: {
  readonly notification: Notification;
  readonly onOpen: (() => void) | undefined;
}) {
  const { name, to } = contentOf(notification);
  const { created_at: at, read_at: readAt } = notification;
  const { mutate, isPending } = useReadOne();
  const isUnread = readAt === null;
  const open = () => {
    if (isUnread) mutate(notification);
    onOpen?.();
  };
  return (
    <li className={styles.item} data-unread={isUnread}>
      <span className={styles.dot}>{isUnread && <span className="visually-hidden">{words.isUnread}</span>}</span>
      {to === null ? (
        <div className={styles.content}>
          <Content notification={notification} />
        </div>
      ) : (
        <Link className={styles.content} to={to} onClick={open}>
          <Content notification={notification} />
        </Link>
      )}
      <time dateTime={`${at}Z`} title={formatTime(at)}>
        {formatShortTime(at)}
      </time>
      <span className={styles.tool}>
        {isUnread && (
          <IconButton
            icon="check"
            label={words.readOne(name)}
            isDisabled={isPending}
            onPress={() => mutate(notification)}
          />
        )}
      </span>
    </li>
  );
}

function Content({ notification }: { readonly notification: Notification }) {
  const { name, dataset, count } = contentOf(notification);
  const { message } = notification;
  return (
    <>
      <span className={styles.name} dir="auto" title={name}>
        {name}
      </span>
      <span className={styles.what}>
        {count !== null && words.results(count)}
        {dataset !== '' && (
          <>
            {' '}
            {words.in} <bdi title={dataset}>{dataset}</bdi>
          </>
        )}
      </span>
      {message !== null && message !== '' && <span className={styles.message}>{message}</span>}
    </>
  );
}
