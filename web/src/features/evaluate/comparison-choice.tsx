import { useNavigate } from 'react-router';
import { Select } from '../../design/choices';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { useCompletedEvaluations } from '../../media/evaluating/evaluation-queries';
import { texts } from '../../texts';

const { comparison: words } = texts.evaluate;

/** Leads to this evaluation beside another one of the same truth; not there without one. */
export function ComparisonChoice({
  datasetId,
  evaluation: { id, truth, task },
}: {
  readonly datasetId: string;
  readonly evaluation: Pick<Evaluation, 'id' | 'truth' | 'task'>;
}) {
  const navigate = useNavigate();
  const completed = useCompletedEvaluations(datasetId) ?? [];
  const others = completed.filter((each) => each.id !== id && each.truth === truth && each.task === task);
  if (others.length === 0) return null;
  const options = others.map(({ id: value, name }) => ({ value, label: name }));
  return (
    <Select
      label={words.action}
      options={[{ value: '', label: words.choose }, ...options]}
      value=""
      onChange={(other) => void navigate(`/datasets/${datasetId}/evaluate/${id}/against/${other}`)}
    />
  );
}
