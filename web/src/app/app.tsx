import { useCallback, useEffect, useRef, useState } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter, matchPath, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router';
import { queries } from '../api/client';
import { keys } from '../api/keys';
import { Button } from '../design/button';
import { isFocusFree } from '../design/focus';
import { SkipLink, SkipLinks } from '../design/skip-link';
import { EmptyState } from '../design/state';
import { Toasts } from '../design/toast';
import { Uploads } from '../media/adding/uploads';
import { texts } from '../texts';
import { ConnectionBanner } from './connection-banner';
import { DatasetLayout } from './dataset-layout';
import { KeyboardDialog, useKeysOfEveryPage } from './keyboard';
import { lazyPart } from '../design/lazy-part';
import { PageBoundary } from './page-boundary';
import { DATASET_PAGES, GLOBAL_PAGES } from './pages';
import { Sidebar } from './sidebar';
import { SIGNED_IN_PATH, SignedInPage } from './signed-in.page';
import { Tour } from './tour';
import styles from './shell.module.css';

const UnsentNotice = lazyPart(async () => (await import('../media/annotating/unsent-notice')).UnsentNotice);
const DatasetsPage = lazyPart(async () => (await import('../features/datasets/datasets.page')).DatasetsPage);

/** The code of a dataset's page and what it shows first, while the dataset itself is asked for. */
async function prepareDatasetPage(pathname: string, search: string): Promise<void> {
  for (const { path, page, prepare } of DATASET_PAGES) {
    const { datasetId } = matchPath(`/datasets/:datasetId/${path}`, pathname)?.params ?? {};
    if (datasetId === undefined) continue;
    const isKnown = queries.getQueryData(keys.dataset(datasetId)) !== undefined;
    const asked = isKnown ? undefined : prepare?.(datasetId, new URLSearchParams(search));
    // Opening the page reports the error.
    await Promise.allSettled([page.load(), asked]);
  }
}

function Pages() {
  const { pathname } = useLocation();
  useEffect(() => void prepareDatasetPage(pathname, window.location.search), [pathname]);
  useFocusOnPage(pathname);
  return (
    <PageBoundary key={pathname}>
      <Routes>
        <Route path="/" element={<Navigate to="/datasets" replace />} />
        <Route path="/datasets" element={<DatasetsPage />} />
        {GLOBAL_PAGES.map(({ path, page: Page }) => (
          <Route key={path} path={`/${path}`} element={<Page />} />
        ))}
        <Route path="/datasets/:datasetId" element={<DatasetLayout />}>
          <Route index element={<Navigate to={DATASET_PAGES[0]!.path} replace />} />
          {DATASET_PAGES.map(({ path, page: Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
        </Route>
        <Route path={SIGNED_IN_PATH} element={<SignedInPage />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </PageBoundary>
  );
}

/** What had the focus left with the page before; the next stop is the first one of this page, unless it has taken the focus. */
function useFocusOnPage(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (isFocusFree()) focusMain();
  }, [pathname]);
}

const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

function NotFound() {
  const navigate = useNavigate();
  const { title, text, action } = texts.shell.notFound;
  return (
    <EmptyState isPage icon="search" title={title} text={text}>
      <Button kind="primary" onPress={() => void navigate('/datasets')}>
        {action}
      </Button>
    </EmptyState>
  );
}

export function App() {
  const [showsKeys, setShowsKeys] = useState(false);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  useKeysOfEveryPage(showKeys);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <SkipLinks />
        <SkipLink label={texts.shell.skip} to="main" onSkip={focusMain} />
        <div className={styles.shell}>
          <Sidebar onKeys={showKeys} />
          <div className={styles.stage}>
            <main id="main" className={styles.main} tabIndex={-1}>
              <Pages />
            </main>
            <Uploads />
          </div>
        </div>
        <Tour />
        <ConnectionBanner />
        <UnsentNotice />
        <Toasts />
        {showsKeys && <KeyboardDialog onClose={() => setShowsKeys(false)} />}
      </BrowserRouter>
    </QueryClientProvider>
  );
}
