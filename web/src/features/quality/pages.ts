import { lazyPart } from '../../design/lazy-part';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const qualityPages: readonly DatasetPage[] = [
  {
    path: 'quality',
    page: lazyPart(async () => (await import('./quality.page')).QualityPage),
    entry: { label: texts.quality.title, icon: 'gauge' },
  },
];
