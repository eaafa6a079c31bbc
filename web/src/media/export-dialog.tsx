import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { ExportOptions } from 'dataset-media-service-sdk';
import { answered, service } from '../api/client';
import { messageOf } from '../api/failure';
import { FormDialog } from '../design/dialog';
import { Segments } from '../design/field';
import { toast } from '../design/toast';
import { texts } from '../texts';
import type { SelectionItem } from './media-selection';
import styles from './selection-bar.module.css';

const { export: words } = texts.media;
type Format = ExportOptions['format'];
const NAMES: Readonly<Record<Format, string>> = words.formats;
const FORMATS = Object.entries(NAMES).map(([value, label]) => ({ value: value as Format, label }));

const LOOK_AGAIN_MS = 1_000;

/** Says when it is ready, wherever people are by then. */
async function announceWhenReady(datasetId: string, exportId: string): Promise<void> {
  try {
    for (;;) {
      const {
        status,
        download_uri: uri,
        result_message: why,
      } = await service.dataset(datasetId).exportStatus(exportId);
      if (status === 'COMPLETED' && uri !== null) {
        toast({ text: words.done, link: { label: words.download, href: uri } });
        return;
      }
      if (status === 'FAILED') throw new Error(why ?? texts.shell.failure.unknown);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  } catch (error) {
    toast({ text: words.failed(messageOf(error)), isFailure: true });
  }
}

export function ExportDialog({
  datasetId,
  items,
  media,
  clusters,
  onClose,
}: {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items. */
  readonly media: number;
  /** Of how many clusters that people selected. */
  readonly clusters: number;
  readonly onClose: () => void;
}) {
  const [format, setFormat] = useState<Format>('json');
  const [hasImages, setHasImages] = useState(false);
  const start = useMutation({
    mutationFn: () =>
      answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/export_entities_async', {
          params: { path: { dataset_id: datasetId }, query: { export_format: format, include_images: hasImages } },
          body: { media_selection: [...items] },
        }),
      ),
    onSuccess: ({ id }) => {
      toast({ text: words.started(media, clusters), until: announceWhenReady(datasetId, id) });
      onClose();
    },
    onError: (error) => toast({ text: words.failed(messageOf(error)), isFailure: true }),
  });
  return (
    <FormDialog
      title={words.title}
      confirm={words.start}
      isDisabled={start.isPending}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <p>{texts.media.selection.what(media, clusters)}</p>
      <Segments label={words.format} choices={FORMATS} value={format} onChange={setFormat} />
      <label className={styles.option}>
        <input type="checkbox" checked={hasImages} onChange={({ target }) => setHasImages(target.checked)} />
        {words.images}
      </label>
    </FormDialog>
  );
}
