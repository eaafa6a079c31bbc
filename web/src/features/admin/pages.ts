import { useMayAdminister } from '../../api/access';
import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

export const adminPages: readonly PageDefinition[] = [
  {
    path: 'admin/*',
    page: lazyPart(async () => (await import('./admin.page')).AdminPage),
    entry: { label: texts.admin.title, icon: 'gear', useIsOffered: useMayAdminister },
  },
];
