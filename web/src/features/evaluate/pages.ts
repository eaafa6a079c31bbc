import type { PageDefinition } from '../../app/page-definition';
import { lazyPart } from '../../design/lazy-part';
import { texts } from '../../texts';

const WITHIN = 'evaluate';

export const evaluatePages: readonly PageDefinition[] = [
  {
    path: 'evaluate',
    page: lazyPart(async () => (await import('./evaluate.page')).EvaluatePage),
    entry: { label: texts.evaluate.title, icon: 'target' },
  },
  {
    path: 'evaluate/:evaluationId',
    page: lazyPart(async () => (await import('./evaluation.page')).EvaluationPage),
    within: WITHIN,
  },
  {
    path: 'evaluate/:evaluationId/against/:otherId',
    page: lazyPart(async () => (await import('./comparison.page')).ComparisonPage),
    within: WITHIN,
  },
];
