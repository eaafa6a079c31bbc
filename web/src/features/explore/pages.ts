import { lazyPart } from '../../design/lazy-part';
import type { DatasetPage } from '../../app/page-definition';
import { texts } from '../../texts';

export const explorePages: readonly DatasetPage[] = [
  {
    path: 'explore',
    page: lazyPart(async () => (await import('./explore.page')).ExplorePage),
    prepare: async (datasetId, search) => (await import('./explore-queries')).prepareClusters(datasetId, search),
    entry: { label: texts.explore.title, icon: 'image' },
  },
  {
    path: 'clusters/:clusterId',
    within: 'explore',
    page: lazyPart(async () => (await import('./cluster.page')).ClusterPage),
  },
];
