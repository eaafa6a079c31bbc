import { lazyPage } from '../../app/lazy-page';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const mapPages: readonly DatasetPage[] = [
  {
    path: 'map',
    page: lazyPage(async () => (await import('./map.page')).MapPage),
    entry: { label: texts.map.title, icon: 'map' },
  },
];
