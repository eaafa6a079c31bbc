import { lazyPage } from '../../app/lazy-page';
import type { PageDefinition } from '../../app/page-definition';

/** Reached by the bell. */
export const notificationPages: readonly PageDefinition[] = [
  {
    path: 'notifications',
    page: lazyPage(async () => (await import('./notifications.page')).NotificationsPage),
  },
];
