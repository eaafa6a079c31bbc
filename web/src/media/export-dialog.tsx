import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ExportOptions, operations } from 'dataset-media-service-sdk';
import { answered, service } from '../api/client';
import { messageOf } from '../api/failure';
import { keys } from '../api/keys';
import { FormDialog } from '../design/dialog';
import { SelectField } from '../design/select';
import { toast } from '../design/toast';
import { texts } from '../texts';
import { sourcesQuery } from './annotations/annotation-query';
import { GROUND_TRUTH } from './annotations/annotation-view';
import type { SelectionItem } from './media-selection';
import styles from './selection-bar.module.css';

const { export: words } = texts.media;
type Format = ExportOptions['format'];
const NAMES: Readonly<Record<Format, string>> = words.formats;
const FORMATS = Object.entries(NAMES).map(([value, label]) => ({ value: value as Format, label }));

/** Of what the media themselves have; the other formats are those of a source. */
const MEDIA_FORMATS: readonly Format[] = ['json', 'csv', 'parquet', 'coco', 'yolo'];
const OF_MEDIA = '';

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

interface ExportDialogProps {
  readonly datasetId: string;
  readonly items: readonly SelectionItem[];
  /** The number of media of the items. */
  readonly media: number;
  /** Of how many clusters that people selected. */
  readonly clusters: number;
  readonly onClose: () => void;
}

type Query = operations['exportExportEntities']['parameters']['query'];

/** Starts an export, whose end is announced. */
const useExport = ({ datasetId, items, media, clusters, onClose }: ExportDialogProps) =>
  useMutation({
    mutationFn: (query: Query) =>
      answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/export_entities_async', {
          params: { path: { dataset_id: datasetId }, query },
          body: { media_selection: [...items] },
        }),
      ),
    onSuccess: ({ id }) => {
      toast({ text: words.started(media, clusters), until: announceWhenReady(datasetId, id) });
      onClose();
    },
    onError: (error) => toast({ text: words.failed(messageOf(error)), isFailure: true }),
  });

export function ExportDialog(props: ExportDialogProps) {
  const { datasetId, media, clusters, onClose } = props;
  const [format, setFormat] = useState<Format>('json');
  const [chosen, setSource] = useState(OF_MEDIA);
  const [isWithImages, setIsWithImages] = useState(false);
  const isOfMedia = MEDIA_FORMATS.includes(format);
  const source = chosen === OF_MEDIA && !isOfMedia ? GROUND_TRUTH : chosen;
  const needsImages = format === 'class_folders';
  const hasImages = isWithImages || needsImages;
  const start = useExport(props);
  const submit = () =>
    start.mutate({
      export_format: format,
      include_images: hasImages,
      ...(source === OF_MEDIA ? {} : { source }),
    });
  return (
    <FormDialog
      title={words.title}
      confirm={words.start}
      isDisabled={start.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{texts.media.selection.what(media, clusters)}</p>
      <SelectField
        label={words.format}
        options={FORMATS}
        value={format}
        onChange={(value) => setFormat(value as Format)}
      />
      <SourceField datasetId={datasetId} source={source} isOfMedia={isOfMedia} onChange={setSource} />
      {source !== OF_MEDIA && <Losses datasetId={datasetId} format={format} source={source} />}
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={hasImages}
          disabled={needsImages}
          onChange={({ target }) => setIsWithImages(target.checked)}
        />
        {words.images}
      </label>
    </FormDialog>
  );
}

/** Whose annotations the archive has. */
function SourceField({
  datasetId,
  source,
  isOfMedia,
  onChange,
}: {
  readonly datasetId: string;
  readonly source: string;
  readonly isOfMedia: boolean;
  readonly onChange: (source: string) => void;
}) {
  const { data: sources = [] } = useQuery(sourcesQuery(datasetId));
  const names = [...new Set([GROUND_TRUTH, ...sources.map(({ name }) => name)])];
  const options = names.map((name) => ({ value: name, label: name }));
  return (
    <SelectField
      label={words.source}
      options={isOfMedia ? [{ value: OF_MEDIA, label: words.ofMedia }, ...options] : options}
      value={source}
      onChange={onChange}
    />
  );
}

/** What the format cannot hold of the source. */
function Losses({
  datasetId,
  format,
  source,
}: {
  readonly datasetId: string;
  readonly format: Format;
  readonly source: string;
}) {
  const { data, error } = useQuery({
    queryKey: keys.of(datasetId, 'export_preview', format, source),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query: { export_format: format, source } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/export_preview', { params }));
    },
  });
  if (error !== null) return <p role="alert">{messageOf(error)}</p>;
  if (data === undefined) return <p>{words.counting}</p>;
  if (data.losses.length === 0) return <p role="status">{words.kept}</p>;
  return (
    <section role="status">
      <p>{words.losses}</p>
      <ul className={styles.losses}>
        {data.losses.map(({ what, count, becomes }) => (
          <li key={`${what} ${becomes}`}>{words.loss(what, count, becomes)}</li>
        ))}
      </ul>
    </section>
  );
}
