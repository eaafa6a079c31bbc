import { ExportDialog } from './export-dialog';
import type { SelectionItem } from './media-selection';
import { CopyDialog } from './subsets/copy-dialog';
import { RemoveDialog } from './subsets/remove-dialog';
import { TagDialog } from './tag-dialog';

export type SelectionAction = 'tag' | 'export' | 'copy' | 'remove';

/** The dialog of an action on what is selected. */
export function SelectionDialog({
  action,
  datasetId,
  items,
  onRemoved = () => undefined,
  onClose,
}: {
  readonly action: SelectionAction;
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) {
  const chosen = { media_selection: [...items] };
  switch (action) {
    case 'tag':
      return <TagDialog datasetId={datasetId} items={items} onClose={onClose} />;
    case 'export':
      return <ExportDialog datasetId={datasetId} items={items} onClose={onClose} />;
    case 'copy':
      return <CopyDialog datasetId={datasetId} chosen={chosen} keep="chosen" onClose={onClose} />;
    case 'remove':
      return <RemoveDialog datasetId={datasetId} chosen={chosen} onStarted={onRemoved} onClose={onClose} />;
  }
}
