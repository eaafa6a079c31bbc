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
  const { name, dataset, count, to } = contentOf(notification);
  const { message, created_at: at, read_at: readAt } = notification;
  const { mutate, isPending } = useReadOne();
  const isUnread = readAt === null;
  const content = (
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
  return (
    <li className={styles.item} data-unread={isUnread}>
      <span className={styles.dot}>{isUnread && <span className="visually-hidden">{words.isUnread}</span>}</span>
      {to === null ? (
        <div className={styles.content}>{content}</div>
      ) : (
        <Link
          className={styles.content}
          to={to}
          onClick={() => {
            if (isUnread) mutate(notification);
            onOpen?.();
          }}
        >
          {content}
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
