import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queries, service } from '../../api/client';
import { useDatasets } from '../../api/datasets';
import { keys } from '../../api/keys';
import { Button, ButtonLink } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Progress } from '../../design/state';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { useRunning } from './enrichment';
import styles from './enrich.module.css';

const { enrich: words } = texts;

interface RunningProps {
  readonly datasetId: string;
  readonly context: { readonly enrichment_context_id: string; readonly status: string } | undefined;
  readonly canStop: boolean;
}

/** The running enrichment, or the result of the last one. */
export function RunningEnrichment({ datasetId, context, canStop }: RunningProps) {
  const isRunning = context?.status === 'RUNNING';
  const { data } = useRunning(datasetId, context?.enrichment_context_id, isRunning);
  const [isStopping, setIsStopping] = useState(false);
  if (context === undefined || data === undefined) return null;
  if (data.status === 'FAILED')
    return (
      <section className={styles.running} role="alert">
        <h2>{words.failed}</h2>
        <p className={styles.error}>{data.error_message}</p>
      </section>
    );
  if (data.status === 'COMPLETED') return <EndedEnrichment targetId={data.dataset_id ?? datasetId} />;
  if (!isRunning) return null;
  return (
    <section className={styles.running} aria-label={words.running}>
      <div className={styles.runningHead}>
        <h2>{words.running}</h2>
        {data.dataset_id !== null && data.dataset_id !== datasetId && (
          <Link className={styles.link} to={`/datasets/${data.dataset_id}`}>
            {words.openCopy}
          </Link>
        )}
        {canStop && <Button onPress={() => setIsStopping(true)}>{words.abort}</Button>}
      </div>
      <Progress label={words.progress(words.running, data.progress)} percent={data.progress} />
      <Steps models={data.models} />
      {isStopping && (
        <StopDialog
          datasetId={datasetId}
          contextId={context.enrichment_context_id}
          onClose={() => setIsStopping(false)}
        />
      )}
    </section>
  );
}

function Steps({ models }: { readonly models: NonNullable<ReturnType<typeof useRunning>['data']>['models'] }) {
  return (
    <ul className={styles.steps}>
      {models.map(({ type, id, status, progress }) => (
        <li key={type}>
          <span>{words.types[type]?.name ?? type}</span>
          <bdi>{id}</bdi>
          <span>{status === 'RUNNING' ? `${progress} %` : words.status[status]}</span>
        </li>
      ))}
    </ul>
  );
}

/** Links to the findings, unless they were deleted or belong to another user. */
function EndedEnrichment({ targetId }: { readonly targetId: string }) {
  const target = useDatasets().data?.find(({ id }) => id === targetId);
  if (target === undefined) return null;
  return (
    <section className={styles.running} aria-label={words.ended}>
      <div className={styles.runningHead}>
        <div className={styles.about}>
          <h2>{words.ended}</h2>
          <p className={styles.note}>{words.endedText}</p>
        </div>
        <ButtonLink icon="compare" to={`/datasets/${targetId}/enrich/findings`}>
          {words.findings.action}
        </ButtonLink>
      </div>
    </section>
  );
}

function StopDialog({
  datasetId,
  contextId,
  onClose,
}: {
  readonly datasetId: string;
  readonly contextId: string;
  readonly onClose: () => void;
}) {
  const stop = useMutation({
    mutationFn: () =>
      service.api.DELETE('/api/v1/enrichment/{dataset_id}/{enrichment_context_id}/abort', {
        params: { path: { dataset_id: datasetId, enrichment_context_id: contextId } },
      }),
    onSuccess: () => {
      toast({ text: words.aborted });
      void queries.invalidateQueries({ queryKey: keys.dataset(datasetId) });
      onClose();
    },
  });
  return (
    <ConfirmDialog title={words.abortTitle} confirm={words.abortConfirm} isDangerous action={stop} onClose={onClose}>
      <p>{words.abortText}</p>
    </ConfirmDialog>
  );
}
