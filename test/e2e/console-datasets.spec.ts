import { describeInBrowser } from '../support/browser';
import { ConsoleWorld } from '../support/console-world';
import { annotatingCases } from './console-annotating.cases';
import { describingCases } from './console-describing.cases';
import { duplicatesCases } from './console-duplicates.cases';
import { editingCases } from './console-editing.cases';
import { evaluationCases } from './console-evaluation.cases';
import { evaluationTasksCases } from './console-evaluation-tasks.cases';
import { growthCases } from './console-growth.cases';
import { historyCases } from './console-history.cases';
import { labellingCases } from './console-labelling.cases';
import { reviewCases } from './console-review.cases';
import { suggestionsCases } from './console-suggestions.cases';
import { subsetsCases } from './console-subsets.cases';

describeInBrowser('what the console changes', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await ConsoleWorld.start();
  });

  afterAll(() => world.close());

  /** No injected script ran, and no content security policy was violated. */
  afterEach(() => {
    expect(world.page.takeErrors()).toEqual([]);
  });

  describe('history of a dataset', () => historyCases(() => world));
  describe('review of duplicates', () => duplicatesCases(() => world));
  describe('review queues', () => reviewCases(() => world));
  describe('evaluations', () => evaluationCases(() => world));
  describe('evaluations of all tasks', () => evaluationTasksCases(() => world));
  describe('labels that look wrong', () => suggestionsCases(() => world));
  describe('editing a dataset and its tags', () => editingCases(() => world));
  describe('labels of a selection', () => labellingCases(() => world));
  describe('editing pictures', () => annotatingCases(() => world));
  describe('describing pictures', () => describingCases(() => world));
  describe('subsets of a dataset', () => subsetsCases(() => world));
  describe('adding media to a dataset', () => growthCases(() => world));
});
