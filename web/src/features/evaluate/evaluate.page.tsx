import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { isExplorable, useDataset, useMayChange } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { PageBody } from '../../design/page-body';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { LinkRow, RowList } from '../../design/row-list';
import { Chip, EmptyState, Progress } from '../../design/state';
import { hasAnnotations, sourcesQuery } from '../../media/annotations/annotation-query';
import type { ListedEvaluation as Listed } from '../../media/evaluating/evaluation';
import { EVALUATIONS_PAGE, useEvaluations } from '../../media/evaluating/evaluation-queries';
import { NewEvaluationDialog } from '../../media/evaluating/new-evaluation-dialog';
import { NotReadyPage } from '../../media/not-ready';
import { texts } from '../../texts';
import { formatShortTime } from '../../texts/format';
import { EvaluationMenu } from './evaluation-menu';
import { figureText, mainFigure } from './figure-texts';
import styles from './evaluate.module.css';

const { evaluate: words } = texts;
const ROW_PX = 72;

/** The evaluations of a dataset. */
export function EvaluatePage() {
  const dataset = useDataset();
  const mayChange = useMayChange(dataset.id);
  const [isCreating, setIsCreating] = useState(false);
  const { data } = useQuery(sourcesQuery(dataset.id));
  const sources = data?.filter(hasAnnotations);
  const canCreate = mayChange && sources !== undefined && sources.length > 1;
  if (!isExplorable(dataset)) return <NotReadyPage dataset={dataset} title={words.title} />;
  return (
    <>
      <PageHeader title={words.title}>
        {canCreate && (
          <Button kind="primary" icon="plus" onPress={() => setIsCreating(true)}>
            {words.create.action}
          </Button>
        )}
      </PageHeader>
      <PageBody>
        <List datasetId={dataset.id} hasSources={sources === undefined || sources.length > 1} />
      </PageBody>
      {isCreating && sources !== undefined && (
        <NewEvaluationDialog datasetId={dataset.id} sources={sources} onClose={() => setIsCreating(false)} />
      )}
    </>
  );
}

function List({ datasetId, hasSources }: { readonly datasetId: string; readonly hasSources: boolean }) {
  const [page, setPage] = useState(0);
  const list = useEvaluations(datasetId, page);
  if (list.data === undefined) return <Pending of={list} height={ROW_PX} />;
  const { evaluations, total } = list.data;
  if (total === 0)
    return (
      <EmptyState icon="target" title={words.none.title} text={words.none.text}>
        {!hasSources && <p className={styles.muted}>{words.none.noSources}</p>}
      </EmptyState>
    );
  return (
    <>
      <RowList label={words.list}>
        {evaluations.map((evaluation) => (
          <Row key={evaluation.id} datasetId={datasetId} evaluation={evaluation} />
        ))}
      </RowList>
      <Pager page={page} pageSize={EVALUATIONS_PAGE} total={total} onChange={setPage} />
    </>
  );
}

function Row({ datasetId, evaluation }: { readonly datasetId: string; readonly evaluation: Listed }) {
  const { id, name, predictions, truth, task, status, created_by: who, created_at: time } = evaluation;
  return (
    <LinkRow
      to={id}
      name={name}
      lines={
        <>
          <p dir="auto">
            {words.of(predictions, truth)}, {words.tasks[task].toLowerCase()}
          </p>
          <p className={styles.muted}>{words.madeBy(who, formatShortTime(time))}</p>
        </>
      }
    >
      <div className={styles.state}>
        {status === 'COMPLETED' ? <MainFigure evaluation={evaluation} /> : <Running evaluation={evaluation} />}
      </div>
      <EvaluationMenu datasetId={datasetId} evaluation={evaluation} />
    </LinkRow>
  );
}

function MainFigure({ evaluation }: { readonly evaluation: Listed }) {
  const figure = mainFigure(evaluation);
  return (
    <>
      {figure !== undefined && (
        <span className={styles.main}>
          <small>{figure.name}</small> {figureText(figure.value)}
        </span>
      )}
      {evaluation.up_to_date === false && <Chip tone="busy">{words.outOfDate}</Chip>}
    </>
  );
}

function Running({ evaluation: { name, status, progress, error } }: { readonly evaluation: Listed }) {
  if (status === 'RUNNING') return <Progress label={words.progress(name)} percent={progress ?? 0} />;
  return (
    <span title={error ?? undefined}>
      <Chip tone="bad">{words.statuses[status]}</Chip>
    </span>
  );
}
