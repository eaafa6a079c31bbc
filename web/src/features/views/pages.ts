import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const viewPages: readonly PageDefinition[] = [
  {
    path: 'views',
    page: lazyPart(async () => (await import('./views.page')).ViewsPage),
    entry: { label: texts.views.title, icon: 'bookmark' },
  },
  { path: 'views/:viewId', page: lazyPart(async () => (await import('./view.page')).ViewPage) },
  { path: 'views/:viewId/batches/:batchId', page: lazyPart(async () => (await import('./batch.page')).BatchPage) },
];
