import { lazyPage } from '../../app/lazy-page';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const viewPages: readonly PageDefinition[] = [
  {
    path: 'views',
    page: lazyPage(async () => (await import('./views.page')).ViewsPage),
    entry: { label: texts.views.title, icon: 'bookmark' },
  },
  { path: 'views/:viewId', page: lazyPage(async () => (await import('./view.page')).ViewPage) },
  { path: 'views/:viewId/batches/:batchId', page: lazyPage(async () => (await import('./batch.page')).BatchPage) },
];
