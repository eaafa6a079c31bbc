import { useMatch } from 'react-router';
import { useMayChange } from '../../api/datasets';
import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

/** Not to viewers, who may not even read them. */
function useIsOffered(): boolean {
  const datasetId = useMatch('/datasets/:datasetId/*')?.params.datasetId;
  return useMayChange(datasetId ?? '');
}

export const webhookPages: readonly PageDefinition[] = [
  {
    path: 'webhooks',
    page: lazyPart(async () => (await import('./webhooks.page')).WebhooksPage),
    entry: { label: texts.webhooks.title, icon: 'link', useIsOffered },
  },
];
