import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';
import { Failure } from '../../api/failure';
import { Dialog } from '../../design/dialog';
import { Chip, Skeleton } from '../../design/state';
import { texts } from '../../texts';
import { formatPercent } from '../../texts/format';
import { requested, useApplied, type Chosen } from './enrichment';
import styles from './enrich.module.css';

const { previews: words } = texts.enrich;

const usePreviews = (datasetId: string, chosen: Chosen) => {
  const { data: context } = useApplied(datasetId);
  const contextId = context?.enrichment_context_id;
  return useQuery({
    queryKey: ['previews', datasetId, contextId, chosen],
    enabled: contextId !== undefined,
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      answered(
        service.api.POST('/api/v1/enrichment/{dataset_id}/{enrichment_context_id}/previews_enrichment_result', {
          params: { path: { dataset_id: datasetId, enrichment_context_id: contextId! } },
          body: { enrichment_models: requested(chosen) },
          signal,
        }),
      ),
  });
};

type Previews = NonNullable<ReturnType<typeof usePreviews>['data']>['previews'];
type Result = Previews[number]['results'][string];

export function PreviewDialog({
  datasetId,
  chosen,
  onClose,
}: {
  readonly datasetId: string;
  readonly chosen: Chosen;
  readonly onClose: () => void;
}) {
  const { data, error, refetch } = usePreviews(datasetId, chosen);
  return (
    <Dialog title={words.title} onClose={onClose} isWide>
      <p className={styles.note}>{data === undefined && error === null ? words.working : words.text}</p>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton style={{ height: 240 }} />}
      <ul className={styles.previews}>
        {data?.previews.map(({ media_id: id, file_name: name, media_thumb_uri: thumbnail, results }) => (
          <li key={id}>
            <img src={thumbnail} alt="" />
            <div>
              <bdi className={styles.file}>{name}</bdi>
              {Object.entries(results).map(([type, result]) => (
                <p key={type}>
                  <small>{texts.enrich.types[type]?.name ?? type}</small> <Found result={result} />
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Found({ result }: { readonly result: Result }) {
  const { caption, labels, objects, lines, dimension, error } = result;
  if (error !== undefined) return <span className={styles.error}>{error}</span>;
  if (caption !== undefined) return <span dir="auto">{caption}</span>;
  if (dimension !== undefined) return <span>{words.vectors(dimension)}</span>;
  const found = labels ?? objects ?? lines?.map(({ text, confidence }) => ({ label: text, confidence })) ?? [];
  if (found.length === 0) return <span>{words.nothing}</span>;
  return found.map(({ label, confidence, ...more }, index) => (
    <Chip key={index}>
      {('caption' in more ? more.caption : undefined) ?? label ?? words.object}
      {confidence === undefined ? '' : ` ${formatPercent(confidence)}`}
    </Chip>
  ));
}
