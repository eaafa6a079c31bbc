import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';

/** Reached by the bell. */
export const notificationPages: readonly PageDefinition[] = [
  {
    path: 'notifications',
    page: lazyPart(async () => (await import('./notifications.page')).NotificationsPage),
  },
];
