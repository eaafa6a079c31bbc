import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const apiKeyPages: readonly PageDefinition[] = [
  {
    path: 'api-keys',
    page: lazyPart(async () => (await import('./api-keys.page')).ApiKeysPage),
    entry: { label: texts.apiKeys.title, icon: 'key' },
  },
];
