import { lazyPage } from '../../app/lazy-page';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const duplicatesPages: readonly DatasetPage[] = [
  {
    path: 'duplicates',
    page: lazyPage(async () => (await import('./duplicates.page')).DuplicatesPage),
    entry: { label: texts.duplicates.title, icon: 'copy' },
  },
];
