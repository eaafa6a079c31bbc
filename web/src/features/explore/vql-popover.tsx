import { Button } from '../../design/button';
import { lazyPart } from '../../design/lazy-part';
import { Popover } from '../../design/popover';
import { texts } from '../../texts';
import type { ExploreNavigation } from './explore-state';

const VqlForm = lazyPart(async () => (await import('./vql-form')).VqlForm);

/** The filters as the API gets them, to read and to change. */
export function VqlPopover({ datasetId, ...navigation }: ExploreNavigation & { readonly datasetId: string }) {
  const { vql: words } = texts.explore;
  return (
    <Popover isWide label={words.title} trigger={<Button icon="code">{words.button}</Button>}>
      {(close) => <VqlForm datasetId={datasetId} {...navigation} onDone={close} />}
    </Popover>
  );
}
