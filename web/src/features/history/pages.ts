import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const historyPages: readonly PageDefinition[] = [
  {
    path: 'history',
    page: lazyPart(async () => (await import('./history.page')).HistoryPage),
    entry: { label: texts.history.title, icon: 'clock' },
  },
  { path: 'history/:snapshotId', page: lazyPart(async () => (await import('./changes.page')).ChangesPage) },
];
