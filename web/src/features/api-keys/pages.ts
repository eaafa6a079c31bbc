import { lazyPage } from '../../app/lazy-page';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const apiKeyPages: readonly PageDefinition[] = [
  {
    path: 'api-keys',
    page: lazyPage(async () => (await import('./api-keys.page')).ApiKeysPage),
    entry: { label: texts.apiKeys.title, icon: 'key' },
  },
];
