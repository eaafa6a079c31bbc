import type { Edit } from './edit';

/** What can be undone and done again, latest last. */
export interface Steps<Step> {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const MOST_STEPS = 200;

export const NO_STEPS: Steps<never> = { done: [], undone: [] };

export const withStep = <Step>({ done }: Steps<Step>, step: Step): Steps<Step> => ({
  done: [...done, step].slice(-MOST_STEPS),
  undone: [],
});

export const afterUndo = <Step>({ done, undone }: Steps<Step>, step: Step): Steps<Step> => ({
  done: done.slice(0, -1),
  undone: [...undone, step],
});

export const afterRedo = <Step>({ done, undone }: Steps<Step>, step: Step): Steps<Step> => ({
  done: [...done, step],
  undone: undone.slice(0, -1),
});

/** Without those of annotations that an edit is about, which was given up. */
export function withoutSteps<Step extends Edit>({ done, undone }: Steps<Step>, { changes }: Edit): Steps<Step> {
  const dropped = new Set(changes.map(({ id }) => id));
  const stays = (step: Step): boolean => !step.changes.some(({ id }) => dropped.has(id));
  return { done: done.filter(stays), undone: undone.filter(stays) };
}
