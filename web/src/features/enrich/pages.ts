import { lazyPart } from '../../design/lazy-part';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const enrichPages: readonly DatasetPage[] = [
  {
    path: 'enrich',
    page: lazyPart(async () => (await import('./enrich.page')).EnrichPage),
    entry: { label: texts.enrich.title, icon: 'sparkle' },
  },
  {
    path: 'enrich/findings',
    within: 'enrich',
    page: lazyPart(async () => (await import('./findings.page')).FindingsPage),
  },
];
