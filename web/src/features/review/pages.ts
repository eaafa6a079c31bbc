import type { PageDefinition } from '../../app/page-definition';
import { lazyPart } from '../../design/lazy-part';
import { texts } from '../../texts';

export const reviewPages: readonly PageDefinition[] = [
  {
    path: 'review',
    page: lazyPart(async () => (await import('./review.page')).ReviewPage),
    entry: { label: texts.review.title, icon: 'tasks' },
  },
  { path: 'review/:queueId', page: lazyPart(async () => (await import('./queue.page')).QueuePage), within: 'review' },
];
