import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useMayChange } from '../../api/datasets';
import { Button } from '../../design/button';
import { lazyPart } from '../../design/lazy-part';
import { texts } from '../../texts';
import { hasAnnotations, sourcesQuery } from '../annotations/annotation-query';
import type { ExploreState } from '../explore-address';

const NewEvaluationDialog = lazyPart(async () => (await import('./new-evaluation-dialog')).NewEvaluationDialog);

/** Evaluates what the page is about; not there for those who may not, and where there is nothing to compare. */
export function EvaluateButton({
  datasetId,
  predictions,
  search,
  kind = 'normal',
}: {
  readonly datasetId: string;
  /** The source that is evaluated, where the page is about one. */
  readonly predictions?: string | undefined;
  readonly search: ExploreState;
  readonly kind?: 'normal' | 'plain';
}) {
  const [isOpen, setIsOpen] = useState(false);
  const mayChange = useMayChange(datasetId);
  const { data = [] } = useQuery(sourcesQuery(datasetId));
  const sources = data.filter(hasAnnotations);
  if (!mayChange || sources.length < 2) return null;
  return (
    <>
      <Button kind={kind} icon="target" onPress={() => setIsOpen(true)}>
        {texts.evaluate.create.these}
      </Button>
      {isOpen && (
        <NewEvaluationDialog {...{ datasetId, predictions, search, sources }} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
