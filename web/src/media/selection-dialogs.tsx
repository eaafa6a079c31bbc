import { lazyPart } from '../design/lazy-part';
import { texts } from '../texts';
import type { SelectionItem } from './media-selection';
import { itemsOfSelection } from './reviewing/chosen-items';

const TagDialog = lazyPart(async () => (await import('./tag-dialog')).TagDialog);
const LabelDialog = lazyPart(async () => (await import('./labelling/label-dialog')).LabelDialog);
const NewQueueDialog = lazyPart(async () => (await import('./reviewing/new-queue-dialog')).NewQueueDialog);
const FieldDialog = lazyPart(async () => (await import('./describing/field-dialog')).FieldDialog);
const CopyDialog = lazyPart(async () => (await import('./subsets/copy-dialog')).CopyDialog);
const RemoveDialog = lazyPart(async () => (await import('./subsets/remove-dialog')).RemoveDialog);
const ExportDialog = lazyPart(async () => (await import('./export-dialog')).ExportDialog);

export type SelectionAction = 'tag' | 'label' | 'field' | 'review' | 'export' | 'copy' | 'remove';

/** The dialog of an action on the selection. */
export function SelectionDialog({
  action,
  datasetId,
  items,
  media,
  clusters,
  onRemoved = () => undefined,
  onClose,
}: {
  readonly action: SelectionAction;
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items. */
  readonly media: number;
  /** Of how many clusters that people selected. */
  readonly clusters: number;
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) {
  const chosen = { media_selection: [...items] };
  const what = texts.media.selection.what(media, clusters);
  switch (action) {
    case 'tag':
      return <TagDialog {...{ datasetId, items, media, clusters }} onClose={onClose} />;
    case 'label':
      return <LabelDialog {...{ datasetId, items, what }} onClose={onClose} />;
    case 'review':
      return (
        <NewQueueDialog datasetId={datasetId} chosen={itemsOfSelection(datasetId, items, what)} onClose={onClose} />
      );
    case 'field':
      return <FieldDialog {...{ datasetId, items, what }} onClose={onClose} />;
    case 'export':
      return <ExportDialog {...{ datasetId, items, media, clusters }} onClose={onClose} />;
    case 'copy':
      return <CopyDialog datasetId={datasetId} chosen={chosen} what={what} keep="chosen" onClose={onClose} />;
    case 'remove':
      return <RemoveDialog datasetId={datasetId} chosen={chosen} what={what} onStarted={onRemoved} onClose={onClose} />;
  }
}
