import { lazyPart } from '../../design/lazy-part';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const mapPages: readonly DatasetPage[] = [
  {
    path: 'map',
    page: lazyPart(async () => (await import('./map.page')).MapPage),
    entry: { label: texts.map.title, icon: 'map' },
  },
];
