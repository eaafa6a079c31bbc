import { lazyPage } from '../../app/lazy-page';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const webhookPages: readonly PageDefinition[] = [
  {
    path: 'webhooks',
    page: lazyPage(async () => (await import('./webhooks.page')).WebhooksPage),
    entry: { label: texts.webhooks.title, icon: 'link' },
  },
];
