import { describeInBrowser } from '../support/browser';
import { ConsoleWorld } from '../support/console-world';
import { duplicatesCases } from './console-duplicates.cases';
import { editingCases } from './console-editing.cases';
import { growthCases } from './console-growth.cases';
import { historyCases } from './console-history.cases';
import { subsetsCases } from './console-subsets.cases';

describeInBrowser('what the console changes', () => {
  let world: ConsoleWorld;

  beforeAll(async () => {
    world = await ConsoleWorld.start();
  });

  afterAll(() => world.close());

  /** Nothing was run that must not be, and no rule for content was broken. */
  afterEach(() => {
    expect(world.page.takeErrors()).toEqual([]);
  });

  describe('the history of a dataset', () => historyCases(() => world));
  describe('the review of duplicates', () => duplicatesCases(() => world));
  describe('the names of a dataset and its tags', () => editingCases(() => world));
  describe('some of the media of a dataset', () => subsetsCases(() => world));
  describe('a dataset that grows', () => growthCases(() => world));
});
