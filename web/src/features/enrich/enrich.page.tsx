import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { useDataset, useMayChange } from '../../api/datasets';
import { Failure, messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { Skeleton } from '../../design/state';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { byType, NOTHING_CHOSEN, requested, useApplied, useModels, type Chosen } from './enrichment';
import { ModelSection } from './model-section';
import { PreviewDialog } from './preview-dialog';
import { RunningEnrichment } from './running-enrichment';
import styles from './enrich.module.css';

type Place = 'copy' | 'inPlace';

const { enrich: words } = texts;
const PLACES = (['copy', 'inPlace'] as const).map((value) => ({ value, label: words.places[value] }));

export function EnrichPage() {
  const { id, display_name: name, status_new: status } = useDataset();
  const mayChange = useMayChange(id);
  const models = useModels(id);
  const applied = useApplied(id);
  const [chosen, setChosen] = useState<Chosen>(NOTHING_CHOSEN);
  const isRunning = applied.data?.status === 'RUNNING';
  const why = !mayChange ? words.readOnly : status !== 'READY' && !isRunning ? words.notReady : undefined;
  return (
    <>
      <PageHeader title={words.title} note={name} />
      <div className={styles.page}>
        <p className={styles.intro}>{words.intro}</p>
        <RunningEnrichment datasetId={id} context={applied.data} canStop={mayChange} />
        {models.error !== null && <Failure error={models.error} onRetry={() => void models.refetch()} />}
        {models.data === undefined && models.error === null && <Skeleton style={{ height: 320 }} />}
        {byType(models.data ?? []).map(([type, offered]) => (
          <ModelSection
            key={type}
            type={type}
            models={offered}
            applied={applied.data?.dataset_enrichment_models.enrichment_models[type]}
            chosen={chosen}
            onChange={setChosen}
            isDisabled={why !== undefined || isRunning}
          />
        ))}
      </div>
      {why === undefined ? (
        <Start datasetId={id} chosen={chosen} isRunning={isRunning} onStarted={() => setChosen(NOTHING_CHOSEN)} />
      ) : (
        <footer className={styles.bar}>
          <p className={styles.note}>{why}</p>
        </footer>
      )}
    </>
  );
}

function Start({
  datasetId,
  chosen,
  isRunning,
  onStarted,
}: {
  readonly datasetId: string;
  readonly chosen: Chosen;
  readonly isRunning: boolean;
  readonly onStarted: () => void;
}) {
  const [place, setPlace] = useState<Place>('copy');
  const [isPreviewed, setIsPreviewed] = useState(false);
  const count = Object.keys(chosen.models).length;
  const start = useMutation({
    mutationFn: () =>
      answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/enrich_dataset', {
          params: { path: { dataset_id: datasetId }, query: { in_place: place === 'inPlace' } },
          body: { enrichment_models: requested(chosen) },
        }),
      ),
    onSuccess: ({ dataset_id: target }) => {
      const link = { label: words.openCopy, href: `/datasets/${target}` };
      const until = service.dataset(target).waitUntilReady();
      toast(place === 'copy' ? { text: words.started, link, until } : { text: words.startedInPlace, until });
      void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
      void queries.invalidateQueries({ queryKey: keys.datasets });
      onStarted();
    },
    onError: (error) => toast({ text: messageOf(error), isFailure: true }),
  });
  const isDisabled = count === 0 || isRunning || start.isPending;
  return (
    <footer className={styles.bar}>
      <div className={styles.place}>
        <Segments label={words.where} choices={PLACES} value={place} onChange={setPlace} />
        <p className={styles.note}>{words.placeText[place]}</p>
      </div>
      <Button isDisabled={isDisabled} onPress={() => setIsPreviewed(true)}>
        {words.preview}
      </Button>
      <Button kind="primary" isDisabled={isDisabled} onPress={() => start.mutate()}>
        {words.apply(count)}
      </Button>
      {isPreviewed && <PreviewDialog datasetId={datasetId} chosen={chosen} onClose={() => setIsPreviewed(false)} />}
    </footer>
  );
}
