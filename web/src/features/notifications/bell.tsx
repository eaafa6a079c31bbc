import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Link } from 'react-router';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { Icon } from '../../design/icon';
import { Popover } from '../../design/popover';
import { texts } from '../../texts';
import { notificationFeed } from './notification-feed';
import { NotificationItems } from './notification-list';
import { useNotifications, useReadAll, useUnreadCount } from './notification-queries';
import styles from './notifications.module.css';

const { notifications: words } = texts;
const NEWEST = { limit: 8, offset: 0, unread_only: false };

/** How many notifications are unread, as they come, and the newest of them. */
export function NotificationBell() {
  const { data: unread = 0 } = useUnreadCount();
  useEffect(() => notificationFeed.open(), []);
  return (
    <>
      <div role="status" className="visually-hidden">
        {unread > 0 && words.arrived(unread)}
      </div>
      <Popover
        label={words.title}
        trigger={
          <AriaButton
            className={styles.bell}
            aria-label={words.bell(unread)}
            render={(props) => <button {...props} title={words.bell(unread)} />}
          >
            <Icon name="bell" />
            {unread > 0 && (
              <span className={styles.badge} aria-hidden="true">
                {words.badge(unread)}
              </span>
            )}
          </AriaButton>
        }
      >
        {(close) => <Newest unread={unread} onOpen={close} />}
      </Popover>
    </>
  );
}

function Newest({ unread, onOpen }: { readonly unread: number; readonly onOpen: () => void }) {
  const { data, error, refetch } = useNotifications(NEWEST);
  const readAll = useReadAll();
  return (
    <div className={styles.newest}>
      <div className={styles.head}>
        <h2>{words.title}</h2>
        {unread > 0 && (
          <Button kind="plain" isDisabled={readAll.isPending} onPress={() => readAll.mutate()}>
            {words.readAll}
          </Button>
        )}
      </div>
      <Pending of={{ data, error, refetch }} height={120} />
      {data?.notifications.length === 0 && <p className={styles.none}>{words.none.text}</p>}
      {data !== undefined && data.notifications.length > 0 && (
        <NotificationItems all={data.notifications} onOpen={onOpen} />
      )}
      <Link className={styles.all} to="/notifications" onClick={onOpen}>
        {words.seeAll}
      </Link>
    </div>
  );
}
