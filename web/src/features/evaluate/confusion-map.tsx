import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { Pending } from '../../api/failure';
import { Select } from '../../design/choices';
import { HeatMap, type HeatRow } from '../../design/heat-map';
import { useParameters } from '../../design/parameters';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import type { EvaluationTask } from '../../media/evaluating/evaluation';
import { heatOf, matrixOf, orderedLabels, type ConfusionMatrix, type LabelOrder } from './confusion-matrix';
import { useConfusion, type Asked, type Confusion } from './evaluate-queries';
import { withParameter } from './parameters';
import { Part } from './part';
import { exploreAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { confusion: words } = texts.evaluate;
const ORDER = 'order';
const SHOWN = 'labels';
const ORDERS = Object.entries(words.orders).map(([value, label]) => ({ value, label }));
const MOST_SHOWN = ['15', '30', '60', '100'];
const HEIGHT_PX = 320;

type Cell = Confusion['cells'][number];

/** Which labels are taken for which others. */
export function ConfusionMap({
  asked,
  task,
  labels,
}: {
  readonly asked: Asked;
  readonly task: EvaluationTask;
  /** How many there are, of which the service gives the largest. */
  readonly labels: number;
}) {
  const [params, changeParams] = useParameters();
  const confusion = useConfusion(asked, true);
  const order = ORDERS.find(({ value }) => value === params.get(ORDER))?.value ?? 'size';
  const shown = MOST_SHOWN.find((each) => each === params.get(SHOWN)) ?? '30';
  const set = (name: string) => (value: string) => changeParams((current) => withParameter(current, name, value));
  return (
    <Part
      title={words.title}
      text={words.text}
      tools={
        <>
          <Select label={words.order} options={ORDERS} value={order} onChange={set(ORDER)} />
          {labels > Number(MOST_SHOWN[0]) && (
            <Select label={words.shown} options={choicesOf(labels)} value={shown} onChange={set(SHOWN)} />
          )}
        </>
      }
    >
      {confusion.data === undefined ? (
        <Pending of={confusion} height={HEIGHT_PX} />
      ) : (
        <Matrix
          {...{ asked, task, labels }}
          confusion={confusion.data}
          order={order as LabelOrder}
          most={Number(shown)}
        />
      )}
    </Part>
  );
}

/** Up to the one that shows all. */
const choicesOf = (labels: number) =>
  MOST_SHOWN.filter((_, at) => Number(MOST_SHOWN[at - 1] ?? 0) < labels).map((value) => ({
    value,
    label: words.most(Number(value)),
  }));

/** Labels of pictures have no background. */
const nameIn =
  (task: EvaluationTask) =>
  (label: string | null): string =>
    label ?? words[task === 'classification' ? 'nothing' : 'background'];

function textOf({ truth, predicted, count, n_media: media }: Cell): string {
  if (truth === null) return words.invented(predicted ?? '', count, media);
  if (predicted === null) return words.missed(truth, count, media);
  return truth === predicted ? words.right(truth, count, media) : words.mistaken(truth, predicted, count, media);
}

function rowsOf({ labels, rows }: ConfusionMatrix<Cell>, nameOf: ReturnType<typeof nameIn>): readonly HeatRow[] {
  const names = labels.map(nameOf);
  return rows.map((row, at) => ({
    key: JSON.stringify(labels[at]),
    name: names[at]!,
    cells: row.map((cell, column) => ({
      text: cell === undefined ? '' : formatCount(cell.count),
      label: cell === undefined ? words.empty(names[at]!, names[column]!) : textOf(cell),
      heat: cell === undefined ? 0 : heatOf(cell.count, row),
      isAgreement: at === column,
      canOpen: cell !== undefined && cell.n_media > 0,
    })),
  }));
}

function Matrix({
  asked,
  task,
  labels: all,
  confusion: { labels, cells, n_left_out: leftOut },
  order,
  most,
}: {
  readonly asked: Asked;
  readonly task: EvaluationTask;
  readonly labels: number;
  readonly confusion: Confusion;
  readonly order: LabelOrder;
  readonly most: number;
}) {
  const navigate = useNavigate();
  const seen = useMemo(() => orderedLabels(labels, cells, order), [labels, cells, order]);
  const ordered = useMemo(() => seen.slice(0, most), [seen, most]);
  const matrix = useMemo(() => matrixOf(ordered, cells), [ordered, cells]);
  const nameOf = useMemo(() => nameIn(task), [task]);
  const rows = useMemo(() => rowsOf(matrix, nameOf), [matrix, nameOf]);
  const hidden = seen.length - ordered.length;
  const open = (row: number, column: number) => {
    const cell = matrix.rows[row]?.[column];
    if (cell !== undefined) void navigate(exploreAddress(asked.datasetId, cell.vql));
  };
  return (
    <>
      <HeatMap
        label={words.title}
        corner={words.corner}
        columns={matrix.labels.map(nameOf)}
        rows={rows}
        onOpen={open}
      />
      {hidden > 0 && <p className={styles.muted}>{words.hidden(hidden)}</p>}
      {leftOut > 0 && <p className={styles.muted}>{words.leftOut(all - labels.length, leftOut)}</p>}
    </>
  );
}
