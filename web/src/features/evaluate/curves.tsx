import { useState } from 'react';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { CurveChart } from '../../design/curve-chart';
import { nearest } from '../../design/curve-points';
import { TextField } from '../../design/field';
import { Select } from '../../design/choices';
import { useParameters } from '../../design/parameters';
import { texts } from '../../texts';
import { useCurves, type Asked, type Curves as CurveData } from './evaluate-queries';
import { withParameter } from './parameters';
import { Part } from './part';
import type { ConfidenceCut } from './use-confidence';
import styles from './evaluate.module.css';

const { curves: words } = texts.evaluate;
export const LABEL = 'label';
const HEIGHT_PX = 240;
/** Between the confidences of the curve. */
const HALF_STEP = 0.005;

/** Of all labels, or of one that is chosen. */
export function Curves({
  asked,
  cut,
  labels,
}: {
  readonly asked: Asked;
  readonly cut: ConfidenceCut;
  readonly labels: readonly string[];
}) {
  const [params, changeParams] = useParameters();
  const label = labels.find((each) => each === params.get(LABEL));
  const [wanted, setWanted] = useState('');
  const precision = wanted === '' || !(Number(wanted) > 0 && Number(wanted) <= 100) ? undefined : Number(wanted) / 100;
  const curves = useCurves(asked, label, precision);
  const { data } = curves;
  const choose = (next: string) => changeParams((current) => withParameter(current, LABEL, next === '' ? null : next));
  const options = [{ value: '', label: words.all }, ...labels.map((each) => ({ value: each, label: each }))];
  return (
    <Part
      title={words.title}
      tools={<Select label={words.label} options={options} value={label ?? ''} onChange={choose} />}
    >
      {data === undefined ? (
        <Pending of={curves} height={HEIGHT_PX} />
      ) : data.f1.length === 0 || data.best === null ? (
        <p className={styles.muted}>{data.f1.length === 0 ? words.none : words.nothingFound}</p>
      ) : (
        <>
          <div className={styles.charts}>
            <PrecisionRecall data={data} cut={cut} />
            <ByConfidence data={data} cut={cut} />
            <Reliability data={data} cut={cut} />
          </div>
          <div className={styles.tools}>
            <Best best={data.best} cut={cut} />
            <TextField
              label={words.wanted}
              type="number"
              min={1}
              max={100}
              value={wanted}
              onChange={({ target }) => setWanted(target.value)}
            />
            {precision !== undefined && <Reached found={data.for_precision?.confidence ?? null} cut={cut} />}
          </div>
        </>
      )}
    </Part>
  );
}

interface ChartProps {
  readonly data: CurveData;
  readonly cut: ConfidenceCut;
}

function PrecisionRecall({ data: { precision_recall: points }, cut }: ChartProps) {
  const drawn = points.flatMap(({ recall, precision, confidence }) =>
    recall === null || precision === null ? [] : [{ x: recall, y: precision, confidence }],
  );
  const now = nearest(
    drawn.map(({ x, confidence }) => ({ x: confidence, y: x })),
    cut.shown,
  );
  return (
    <CurveChart
      label={words.precisionRecall}
      across={words.recall}
      curves={[{ key: 'all', name: words.precision, series: 1, points: drawn }]}
      marked={now?.y}
      textAt={(x) => {
        const point = nearest(drawn, x);
        return point === undefined ? '' : words.pointOfRecall(point.y, point.x, point.confidence);
      }}
    />
  );
}

function ByConfidence({ data: { f1: points }, cut }: ChartProps) {
  const of = (name: 'precision' | 'recall' | 'f1') =>
    points.flatMap(({ confidence, [name]: y }) => (y === null ? [] : [{ x: confidence, y }]));
  return (
    <CurveChart
      label={words.f1}
      across={words.confidence}
      curves={[
        { key: 'f1', name: words.f1Name, series: 1, points: of('f1') },
        { key: 'precision', name: words.precision, series: 2, points: of('precision') },
        { key: 'recall', name: words.recall, series: 3, points: of('recall') },
      ]}
      marked={cut.shown}
      onChoose={(x) => cut.set(Number(x.toFixed(2)))}
      textAt={(x) => {
        const point = points.find(({ confidence }) => Math.abs(confidence - x) < HALF_STEP);
        return point === undefined ? '' : words.pointOfConfidence(point);
      }}
    />
  );
}

/** Bins without predictions have no point. */
function Reliability({ data: { reliability: bins }, cut }: ChartProps) {
  const points = bins.flatMap(({ confidence, accuracy }) =>
    confidence === null || accuracy === null ? [] : [{ x: confidence, y: accuracy }],
  );
  return (
    <CurveChart
      label={words.reliability}
      across={words.confidence}
      curves={[{ key: 'all', name: words.accuracy, series: 1, points }]}
      hasDiagonal
      marked={cut.shown}
      textAt={(x) => {
        const bin = bins.find(({ to }) => x < to) ?? bins.at(-1);
        if (bin === undefined) return '';
        const { from, to, n, accuracy } = bin;
        return accuracy === null ? words.emptyBin(from, to) : words.bin(from, to, n, accuracy);
      }}
    />
  );
}

function Best({ best, cut }: { readonly best: NonNullable<CurveData['best']>; readonly cut: ConfidenceCut }) {
  return (
    <span className={styles.found}>
      {words.best(best)}
      {cut.shown !== best.confidence && <Button onPress={() => cut.set(best.confidence)}>{words.use}</Button>}
    </span>
  );
}

function Reached({ found, cut }: { readonly found: number | null; readonly cut: ConfidenceCut }) {
  return (
    <span className={styles.found} role="status">
      {found === null ? words.unreached : words.found(found)}
      {found !== null && cut.shown !== found && <Button onPress={() => cut.set(found)}>{words.use}</Button>}
    </span>
  );
}
