import { lazyPage } from '../../app/lazy-page';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const historyPages: readonly PageDefinition[] = [
  {
    path: 'history',
    page: lazyPage(async () => (await import('./history.page')).HistoryPage),
    entry: { label: texts.history.title, icon: 'clock' },
  },
  { path: 'history/:snapshotId', page: lazyPage(async () => (await import('./changes.page')).ChangesPage) },
];
