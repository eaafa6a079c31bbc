import { useMayAdminister } from '../../api/access';
import { lazyPage } from '../../app/lazy-page';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const adminPages: readonly PageDefinition[] = [
  {
    path: 'admin/*',
    page: lazyPage(async () => (await import('./admin.page')).AdminPage),
    entry: { label: texts.admin.title, icon: 'gear', useIsOffered: useMayAdminister },
  },
];
