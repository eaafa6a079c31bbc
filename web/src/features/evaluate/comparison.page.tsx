import { Link, useNavigate, useParams } from 'react-router';
import { useDataset } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { PageBody } from '../../design/page-body';
import { PageHeader } from '../../design/page-header';
import { Table } from '../../design/table';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { useEvaluation } from '../../media/evaluating/evaluation-queries';
import { texts } from '../../texts';
import { BackButton } from './back-button';
import { useComparison, type Asked, type Comparison } from './evaluate-queries';
import { changeOf, differenceText, figureName, figureOf, figureText, isCompared, ordered } from './figure-texts';
import { farthest, Interval } from './interval';
import { Part } from './part';
import { exploreAddress } from './pictures-of';
import { SliceTable } from './slices';
import styles from './evaluate.module.css';

const { comparison: words } = texts.evaluate;
const HEIGHT_PX = 240;

/** Two evaluations on the same truth, side by side. */
export function ComparisonPage() {
  const { id: datasetId } = useDataset();
  const { evaluationId = '', otherId = '' } = useParams();
  const navigate = useNavigate();
  const [a, b] = [useEvaluation(datasetId, evaluationId), useEvaluation(datasetId, otherId)];
  const error = a.error ?? b.error;
  const both = () => Promise.all([a.refetch(), b.refetch()]);
  if (a.data === undefined || b.data === undefined)
    return <Pending isPage of={{ data: undefined, error, refetch: both }} height={240} margin={24} />;
  const base = `/datasets/${datasetId}/evaluate`;
  return (
    <>
      <PageHeader title={words.title(a.data.name, b.data.name)} before={<BackButton datasetId={datasetId} />}>
        <Button icon="swap" onPress={() => void navigate(`${base}/${otherId}/against/${evaluationId}`)}>
          {words.swap}
        </Button>
      </PageHeader>
      <PageBody>
        <p className={styles.muted}>
          <Link className={styles.link} to={`${base}/${evaluationId}`}>
            {words.a(a.data.name)}
          </Link>
          {' · '}
          <Link className={styles.link} to={`${base}/${otherId}`}>
            {words.b(b.data.name)}
          </Link>
        </p>
        <Compared datasetId={datasetId} a={a.data} b={b.data} />
      </PageBody>
    </>
  );
}

/** Slices are compared by their F1. */
const sliced = (side: string): string => texts.evaluate.slices.beside(figureName('f1'), side);

function Compared({ datasetId, a, b }: { readonly datasetId: string; readonly a: Evaluation; readonly b: Evaluation }) {
  const completedAt = `${a.completed_at} ${b.completed_at}`;
  const asked: Asked = { datasetId, evaluationId: a.id, completedAt, confidence: null };
  const comparison = useComparison(asked, b.id);
  if (comparison.data === undefined) return <Pending of={comparison} height={HEIGHT_PX} />;
  const { figures, a_right_b_wrong: aOnly, b_right_a_wrong: bOnly, slices } = comparison.data;
  return (
    <>
      <FigureTable figures={figures.filter(({ name }) => isCompared(name))} task={a.task} />
      <div className={styles.pair}>
        <Only datasetId={datasetId} title={words.aOnly} found={aOnly} />
        <Only datasetId={datasetId} title={words.bOnly} found={bOnly} />
      </div>
      <Part title={words.regressions}>
        {slices.length === 0 ? (
          <p className={styles.muted}>{words.noRegressions}</p>
        ) : (
          <SliceTable
            asked={asked}
            label={words.regressions}
            names={[sliced(words.sides.b), sliced(words.sides.a)]}
            slices={slices}
          />
        )}
      </Part>
    </>
  );
}

/** Those with intervals, then the others in their usual order. */
function byName(figures: Comparison['figures']): Comparison['figures'] {
  const names = ordered(figures.map(({ name }) => name));
  return figures.toSorted(
    (one, other) =>
      Number(one.interval === null) - Number(other.interval === null) ||
      names.indexOf(one.name) - names.indexOf(other.name),
  );
}

/** Null where one of them is unknown. */
const valuesOf = ({ name, a, b }: Comparison['figures'][number]) => {
  const [ofA, ofB] = [figureOf({ [name]: a }, name), figureOf({ [name]: b }, name)];
  return { ofA, ofB, difference: ofA === null || ofB === null ? null : ofB - ofA };
};

/** A difference that may be chance, also because it has no interval, is neither better nor worse. */
const isSure = (interval: readonly number[] | null): boolean => {
  const [low = 0, high = 0] = interval ?? [];
  return low > 0 || high < 0;
};

function FigureTable({ figures, task }: Pick<Comparison, 'figures'> & { readonly task: Evaluation['task'] }) {
  const most = farthest(figures.flatMap(({ interval }) => (interval === null ? [] : [interval])));
  return (
    <Part title={words.figures} text={words.figuresText}>
      <Table label={words.figures} columns={words.columns}>
        {byName(figures).map((figure) => (
          <FigureRow key={figure.name} {...{ figure, task, most }} />
        ))}
      </Table>
    </Part>
  );
}

function FigureRow({
  figure,
  task,
  most,
}: {
  readonly figure: Comparison['figures'][number];
  readonly task: Evaluation['task'];
  /** The farthest end of all intervals. */
  readonly most: number;
}) {
  const { name, interval } = figure;
  const { ofA, ofB, difference } = valuesOf(figure);
  return (
    <tr>
      <td>{figureName(name, task)}</td>
      <td className={styles.number}>{figureText(ofA)}</td>
      <td className={styles.number}>{figureText(ofB)}</td>
      <td className={styles.number}>
        <span className={styles.change} data-change={isSure(interval) ? changeOf(name, difference) : 'same'}>
          {difference === null ? figureText(null) : differenceText(difference)}
        </span>
      </td>
      <td>{interval !== null && <Interval interval={interval} most={most} />}</td>
    </tr>
  );
}

/** What one of them finds and the other one does not. */
function Only({
  datasetId,
  title,
  found: { count, n_media: media, vql },
}: {
  readonly datasetId: string;
  readonly title: string;
  readonly found: Comparison['a_right_b_wrong'];
}) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2>{title}</h2>
      <p>{words.found(count, media)}</p>
      {media > 0 && (
        <Link
          className={styles.link}
          to={exploreAddress(datasetId, vql)}
          aria-label={`${title}: ${texts.evaluate.explore}`}
        >
          {texts.evaluate.explore}
        </Link>
      )}
    </section>
  );
}
