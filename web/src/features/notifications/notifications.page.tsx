import { useSearchParams } from 'react-router';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { Segments } from '../../design/field';
import { PageBody } from '../../design/page-body';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { EmptyState } from '../../design/state';
import { texts } from '../../texts';
import { NotificationItems } from './notification-list';
import { useNotifications, useReadAll, useUnreadCount } from './notification-queries';
import styles from './notifications.module.css';

const { notifications: words } = texts;
const PER_PAGE = 50;
type Shown = 'all' | 'unread';
const CHOICES = (['all', 'unread'] as const).map((value) => ({ value, label: words.show[value] }));

export function NotificationsPage() {
  const [params, setParams] = useSearchParams();
  const shown: Shown = params.get('show') === 'unread' ? 'unread' : 'all';
  const page = Math.max(0, Math.floor(Number(params.get('page') ?? 0)) || 0);
  const { data: unread } = useUnreadCount();
  const { data, error, refetch } = useNotifications({
    limit: PER_PAGE,
    offset: page * PER_PAGE,
    unread_only: shown === 'unread',
  });
  const readAll = useReadAll();
  const go = (show: Shown, next: number) =>
    setParams({ ...(show === 'unread' ? { show } : {}), ...(next > 0 ? { page: String(next) } : {}) });
  const none = shown === 'unread' ? [words.none.unread, words.none.unreadText] : [words.none.title, words.none.text];
  return (
    <>
      <PageHeader title={words.title} note={unread === undefined ? undefined : words.unread(unread)}>
        <Button
          icon="check"
          isDisabled={unread === undefined || unread === 0 || readAll.isPending}
          onPress={() => readAll.mutate()}
        >
          {words.readAll}
        </Button>
      </PageHeader>
      <PageBody isDense>
        <div>
          <Segments label={words.show.label} choices={CHOICES} value={shown} onChange={(show) => go(show, 0)} />
        </div>
        <Pending of={{ data, error, refetch }} height={280} />
        {data?.notifications.length === 0 && <EmptyState icon="bell" title={none[0]!} text={none[1]} />}
        {data !== undefined && data.notifications.length > 0 && (
          <div className={styles.card}>
            <NotificationItems all={data.notifications} />
          </div>
        )}
        {data !== undefined && (
          <Pager page={page} pageSize={PER_PAGE} total={data.total} onChange={(next) => go(shown, next)} />
        )}
      </PageBody>
    </>
  );
}
