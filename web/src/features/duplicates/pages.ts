import { lazyPart } from '../../design/lazy-part';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const duplicatesPages: readonly DatasetPage[] = [
  {
    path: 'duplicates',
    page: lazyPart(async () => (await import('./duplicates.page')).DuplicatesPage),
    entry: { label: texts.duplicates.title, icon: 'copy' },
  },
];
