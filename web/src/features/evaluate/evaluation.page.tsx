import { useMemo, type ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useDataset, useMayChange } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { Segments } from '../../design/field';
import { PageBody } from '../../design/page-body';
import { PageHeader } from '../../design/page-header';
import { useParameters } from '../../design/parameters';
import { EmptyState, Progress } from '../../design/state';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { useEvaluation } from '../../media/evaluating/evaluation-queries';
import { texts } from '../../texts';
import { formatShortTime } from '../../texts/format';
import { BackButton } from './back-button';
import { comparedRows, type ClassRow } from './class-rows';
import { ClassTable } from './class-table';
import { ComparisonChoice } from './comparison-choice';
import { ConfidenceSlider } from './confidence-slider';
import { ConfusionMap } from './confusion-map';
import { CountsRow } from './counts-row';
import { Curves } from './curves';
import { EvaluationMenu } from './evaluation-menu';
import { useHasConfidences, useIsImporting, useRunAgain, type Asked } from './evaluate-queries';
import { Failures } from './failures';
import { Figures } from './figures';
import { Mistakes } from './mistakes';
import { withParameter } from './parameters';
import { Part } from './part';
import { Slices } from './slices';
import { useConfidence, type ConfidenceCut } from './use-confidence';
import styles from './evaluate.module.css';

const { evaluate: words } = texts;
const SHOW = 'show';
const PARTS = (['overview', 'confusion', 'slices'] as const).map((value) => ({ value, label: words.parts[value] }));
type Shown = (typeof PARTS)[number]['value'];

/** One evaluation: its figures, and the ways to the pictures behind them. */
export function EvaluationPage() {
  const { id: datasetId } = useDataset();
  const { evaluationId = '' } = useParams();
  const navigate = useNavigate();
  const evaluation = useEvaluation(datasetId, evaluationId);
  const { data } = evaluation;
  if (data === undefined) return <Pending isPage of={evaluation} height={240} margin={24} />;
  return (
    <>
      <PageHeader
        title={data.name}
        note={words.of(data.predictions, data.truth)}
        before={<BackButton datasetId={datasetId} />}
      >
        <EvaluationMenu
          datasetId={datasetId}
          evaluation={data}
          onRemoved={() => void navigate(`/datasets/${datasetId}/evaluate`, { replace: true })}
        />
      </PageHeader>
      <PageBody>
        <About datasetId={datasetId} evaluation={data} />
        <Notice datasetId={datasetId} evaluation={data} />
        {data.completed_at !== null && data.metrics !== null && (
          <Result key={evaluationId} datasetId={datasetId} evaluation={data} />
        )}
      </PageBody>
    </>
  );
}

interface ResultProps {
  readonly datasetId: string;
  readonly evaluation: Evaluation;
}

/** What was compared. */
function About({ datasetId, evaluation }: ResultProps) {
  const { task, protocol, filter, created_by: who } = evaluation;
  const { n_pictures: pictures, n_truth: truth, n_predictions: predictions, completed_at: time } = evaluation;
  const facts = [
    words.tasks[task],
    ...(task === 'classification' ? [] : [words.protocols[protocol]]),
    ...(pictures === null ? [] : [words.size(pictures, truth ?? 0, predictions ?? 0)]),
    ...(filter === null ? [] : [words.ofSearch]),
    words.madeBy(who, formatShortTime(time ?? evaluation.created_at)),
  ];
  return (
    <div className={styles.about}>
      <p className={styles.muted}>{facts.join(' · ')}</p>
      <ComparisonChoice datasetId={datasetId} evaluation={evaluation} />
    </div>
  );
}

/** Why the figures are not there, or not those of now. */
function Notice({ datasetId, evaluation }: ResultProps) {
  const { name, status, error, progress, up_to_date: isFresh, changed, completed_at: time } = evaluation;
  const isImporting = useIsImporting(datasetId, evaluation);
  if (status === 'RUNNING')
    return (
      <section className={styles.notice} aria-label={words.statuses.RUNNING}>
        <p>{isImporting ? words.importingText : words.runningText}</p>
        <Progress label={words.progress(name)} percent={progress ?? 0} />
      </section>
    );
  if (status !== 'COMPLETED')
    return time === null ? (
      <EmptyState icon="alert" title={words[status === 'FAILED' ? 'failedTitle' : 'abortedTitle']} text={error ?? ''}>
        <RunAgain {...{ datasetId, evaluation }} />
      </EmptyState>
    ) : (
      <Outdated {...{ datasetId, evaluation }}>
        {words[status === 'FAILED' ? 'failedTitle' : 'abortedTitle']}. {error}
      </Outdated>
    );
  if (isFresh !== false) return null;
  return <Outdated {...{ datasetId, evaluation }}>{words.changedText(changed)}</Outdated>;
}

/** The figures are those of before, and can be made anew. */
function Outdated({ datasetId, evaluation, children }: ResultProps & { readonly children: ReactNode }) {
  return (
    <div className={styles.notice}>
      <p role="status">{children}</p>
      <RunAgain {...{ datasetId, evaluation }} />
    </div>
  );
}

/** Not there for those who may not. */
function RunAgain({ datasetId, evaluation }: ResultProps) {
  const { mutate, isPending } = useRunAgain(datasetId, evaluation);
  if (!useMayChange(datasetId)) return null;
  return (
    <div>
      <Button icon="again" isDisabled={isPending} onPress={() => mutate()}>
        {words.again.action}
      </Button>
    </div>
  );
}

/** All figures, from a confidence on that people choose. */
function Result({ datasetId, evaluation }: ResultProps) {
  const [params, changeParams] = useParameters();
  const cut = useConfidence(evaluation.confidence ?? 0);
  const asked: Asked = {
    ...{ datasetId, evaluationId: evaluation.id },
    ...{ completedAt: evaluation.completed_at, confidence: cut.asked },
  };
  const hasConfidences = useHasConfidences(asked);
  const rows = useMemo(() => comparedRows(evaluation.per_class), [evaluation.per_class]);
  const part = PARTS.find(({ value }) => value === params.get(SHOW))?.value ?? 'overview';
  const show = (next: Shown) =>
    changeParams((current) => withParameter(current, SHOW, next === 'overview' ? null : next));
  return (
    <>
      <div className={styles.bar}>
        <Segments label={words.parts.label} choices={PARTS} value={part} onChange={show} />
        {part !== 'slices' && hasConfidences && <ConfidenceSlider cut={cut} own={evaluation.confidence ?? 0} />}
      </div>
      {part === 'overview' && <Overview {...{ evaluation, rows, asked, cut, hasConfidences }} />}
      {part === 'confusion' && <ConfusionMap asked={asked} task={evaluation.task} labels={rows.length} />}
      {part === 'slices' && (
        <>
          <Slices asked={asked} />
          <Failures asked={asked} />
        </>
      )}
    </>
  );
}

function Overview({
  evaluation,
  rows,
  asked,
  cut,
  hasConfidences,
}: {
  readonly evaluation: Evaluation;
  readonly rows: readonly ClassRow[];
  readonly asked: Asked;
  readonly cut: ConfidenceCut;
  readonly hasConfidences: boolean;
}) {
  return (
    <>
      <Figures {...{ evaluation, hasConfidences }} />
      <CountsRow {...{ asked, evaluation, hasConfidences }} />
      <Mistakes asked={asked} evaluation={evaluation} />
      {hasConfidences ? (
        <Curves asked={asked} cut={cut} labels={rows.map(({ label }) => label)} />
      ) : (
        <Part title={words.curves.title} text={words.curves.noConfidences} />
      )}
      <ClassTable asked={asked} rows={rows} hasConfidences={hasConfidences} />
    </>
  );
}
