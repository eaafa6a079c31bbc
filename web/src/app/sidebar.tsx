import { useState } from 'react';
import { Link, matchPath, NavLink, useLocation, useMatch } from 'react-router';
import { rememberSignIn, wantsSignIn } from '../api/connection-state';
import { useDatasets } from '../api/datasets';
import { IconButton } from '../design/button';
import { Segments } from '../design/field';
import { Icon } from '../design/icon';
import { texts } from '../texts';
import { NotificationBell } from '../features/notifications/bell';
import { useUnreadCount } from '../features/notifications/notification-queries';
import type { PageDefinition } from './page-definition';
import { DATASET_PAGES, GLOBAL_PAGES } from './pages';
import { useTourStart } from './tour';
import { applyTheme, readTheme, type Theme } from './theme';
import styles from './shell.module.css';

const MOST_DATASETS = 12;

/** On a narrow screen it covers the page until an entry is chosen. */
export function Sidebar({ onKeys }: { readonly onKeys: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data: unread = 0 } = useUnreadCount();
  const close = () => setIsOpen(false);
  return (
    <>
      <div className={styles.open} data-unread={unread > 0}>
        <IconButton
          icon="menu"
          label={unread > 0 ? texts.shell.openNavigationUnread(unread) : texts.shell.openNavigation}
          aria-expanded={isOpen}
          onPress={() => setIsOpen(true)}
        />
      </div>
      {isOpen && <div className={styles.cover} onClick={close} />}
      <nav
        className={styles.sidebar}
        data-open={isOpen}
        aria-label={texts.shell.navigation}
        onClick={(event) => {
          if ((event.target as Element).closest('a, button') !== null) close();
        }}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
        }}
      >
        <div className={styles.top}>
          <Link to="/datasets" className={styles.brand}>
            <img src="/icon.svg" alt="" width={20} height={20} />
            {texts.shell.productShort}
          </Link>
          <NotificationBell />
        </div>
        <DatasetSections />
        <DatasetLinks />
        <GlobalLinks />
        <Foot onKeys={onKeys} />
      </nav>
    </>
  );
}

function Foot({ onKeys }: { readonly onKeys: () => void }) {
  return (
    <div className={`${styles.group} ${styles.foot}`}>
      <a className={styles.link} href="/api/v1/docs">
        <Icon name="book" />
        <span>{texts.shell.docs}</span>
      </a>
      <TourLink />
      <button type="button" className={styles.link} onClick={onKeys}>
        <Icon name="keyboard" />
        <span>{texts.keyboard.title}</span>
      </button>
      <SignOut />
      <ThemeSwitch />
    </div>
  );
}

/** Of the page beside it. */
const useDatasetId = () => useMatch('/datasets/:datasetId/*')?.params.datasetId;

function DatasetSections() {
  const datasetId = useDatasetId();
  const { pathname } = useLocation();
  const { data } = useDatasets();
  if (datasetId === undefined) return null;
  const name = data?.find(({ id }) => id === datasetId)?.display_name;
  const open = DATASET_PAGES.find(({ path }) => matchPath(`/datasets/:datasetId/${path}`, pathname) !== null);
  const current = open?.within ?? open?.path;
  return (
    <div className={styles.group}>
      <div className={styles.heading} dir="auto" title={name}>
        {name ?? ' '}
      </div>
      {DATASET_PAGES.map((page) => (
        <PageLink key={page.path} page={page} below={`/datasets/${datasetId}`} isCurrent={isPart(current, page.path)} />
      ))}
    </div>
  );
}

/** Whether a path is another, or below it. */
const isPart = (path: string | undefined, of: string): boolean => path === of || path?.startsWith(`${of}/`) === true;

const alwaysOffered = () => true;

function PageLink({
  page: { path, entry },
  below,
  isCurrent,
}: {
  readonly page: PageDefinition;
  readonly below: string;
  readonly isCurrent: boolean;
}) {
  const useIsOffered = entry?.useIsOffered ?? alwaysOffered;
  const isOffered = useIsOffered();
  if (entry === undefined || !isOffered) return null;
  return (
    <Link
      className={styles.link}
      to={`${below}/${path.replace('/*', '')}`}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Icon name={entry.icon} />
      <span>{entry.label}</span>
    </Link>
  );
}

function GlobalLinks() {
  const { pathname } = useLocation();
  return (
    <div className={styles.group}>
      {GLOBAL_PAGES.map((page) => (
        <PageLink
          key={page.path}
          page={page}
          below=""
          isCurrent={isPart(pathname, `/${page.path.replace('/*', '')}`)}
        />
      ))}
    </div>
  );
}

function DatasetLinks() {
  const { data = [] } = useDatasets();
  const datasetId = useDatasetId();
  return (
    <div className={styles.group}>
      <NavLink className={styles.link} to="/datasets" end>
        <Icon name="grid" />
        <span>{texts.shell.datasets}</span>
      </NavLink>
      {data
        .filter(({ id }) => id !== datasetId)
        .slice(0, MOST_DATASETS)
        .map(({ id, display_name: name }) => (
          <Link key={id} className={styles.link} to={`/datasets/${id}`} title={name}>
            <Icon name="stack" />
            <span dir="auto">{name}</span>
          </Link>
        ))}
    </div>
  );
}

function TourLink() {
  const start = useTourStart();
  if (start === undefined) return null;
  return (
    <button type="button" className={styles.link} onClick={start}>
      <Icon name="info" />
      <span>{texts.shell.tour.start}</span>
    </button>
  );
}

/** By a link: the answer leads to the identity provider, which forms may not under the content security policy. */
function SignOut() {
  if (!wantsSignIn()) return null;
  return (
    <a className={styles.link} href="/api/v1/oidc/logout" onClick={() => rememberSignIn(false)}>
      <Icon name="signOut" />
      <span>{texts.shell.signOut}</span>
    </a>
  );
}

const THEMES = [
  ['system', 'screen'],
  ['light', 'sun'],
  ['dark', 'moon'],
] as const;

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const change = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  const choices = THEMES.map(([value, icon]) => ({
    value,
    label: (
      <>
        <Icon name={icon} size={14} />
        <span className="visually-hidden">{texts.shell.theme[value]}</span>
      </>
    ),
  }));
  return (
    <div className={styles.theme}>
      <Segments label={texts.shell.theme.label} choices={choices} value={theme} onChange={change} />
    </div>
  );
}
