import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { answered, queries, service } from '../../api/client';
import { useDataset } from '../../api/datasets';
import { keys } from '../../api/keys';
import { BarChart } from '../../design/bar-chart';
import { Button } from '../../design/button';
import { Switch } from '../../design/choices';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { Chip, EmptyState } from '../../design/state';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatTime } from '../../texts/format';
import { useAlerting, useSummary, useTrend, type SavedView, type ViewTrend } from './view-queries';
import styles from './views.module.css';

const { views: words } = texts;

/** Stands where a view would be that a notification or a kept address leads to. */
export function MissingView() {
  const { id } = useDataset();
  const navigate = useNavigate();
  return (
    <EmptyState icon="bookmark" title={words.missing.title} text={words.missing.text}>
      <Button onPress={() => void navigate(`/datasets/${id}/views`)}>{words.back}</Button>
    </EmptyState>
  );
}

export function Summary({ view }: { readonly view: SavedView }) {
  return (
    <div className={styles.summary}>
      {useSummary(view).map((text, at) => (
        <span key={at} dir="auto" title={text}>
          <Chip>{text}</Chip>
        </span>
      ))}
    </div>
  );
}

/** Why batches are not counted, or not yet. */
export function Notes({ view: { evaluation_error: error, n_waiting: waiting } }: { readonly view: SavedView }) {
  return (
    <>
      {error !== null && <p className={styles.error}>{words.broken(error)}</p>}
      {waiting > 0 && <p className={styles.muted}>{words.waiting(waiting)}</p>}
    </>
  );
}

export function AlertSwitch({ view }: { readonly view: SavedView }) {
  const { mutate, isPending, variables } = useAlerting(view);
  return (
    <Switch
      label={words.alerts.label(view.name)}
      isOn={isPending ? variables : view.alerting_enabled}
      isDisabled={isPending || !view.monitoring_enabled || !view.can_change}
      onChange={mutate}
    >
      <span aria-hidden="true">{words.alerts.text}</span>
    </Switch>
  );
}

const SMALL_SLOTS = 20;

/** The newest batches, beside the name of a view. */
export function SmallTrend({ view }: { readonly view: SavedView }) {
  const { data } = useTrend(view);
  return <TrendChart view={view} points={data?.points ?? []} slots={SMALL_SLOTS} size="small" />;
}

export function TrendChart({
  view,
  points,
  slots,
  size,
}: {
  readonly view: SavedView;
  readonly points: ViewTrend['points'];
  readonly slots: number;
  readonly size: 'small' | 'large';
}) {
  return (
    <BarChart
      label={words.trend.of(view.name)}
      columns={[words.trend.batch, words.trend.matches]}
      slots={slots}
      size={size}
      {...(size === 'large' ? { most: words.matches } : {})}
      bars={points.map(({ batch_id: key, timestamp, count }) => ({
        key,
        name: formatTime(timestamp),
        value: count,
        text: words.matches(count),
      }))}
    />
  );
}

export function DeleteDialog({
  view,
  onDeleted,
  onClose,
}: {
  readonly view: SavedView;
  readonly onDeleted?: () => void;
  readonly onClose: () => void;
}) {
  const remove = useMutation({
    mutationFn: () => {
      const params = { path: { dataset_id: view.dataset_id, view_id: view.id } };
      return answered(service.api.DELETE('/api/v1/dataset/{dataset_id}/views/{view_id}', { params }));
    },
    onSuccess: () => {
      toast({ text: words.remove.done(view.name) });
      onClose();
      onDeleted?.();
    },
    onSettled: () => {
      // Only the list: the trend is deleted with the view.
      void queries.invalidateQueries({ queryKey: keys.of(view.dataset_id, 'views'), exact: true });
      void queries.invalidateQueries({ queryKey: keys.notifications });
    },
  });
  return (
    <ConfirmDialog
      title={words.remove.title(view.name)}
      confirm={words.remove.confirm}
      isDangerous
      action={remove}
      onClose={onClose}
    >
      <p>{words.remove.text}</p>
    </ConfirmDialog>
  );
}
