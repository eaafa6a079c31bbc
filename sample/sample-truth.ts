import { Edit, SamplePlan, Treatment } from './sample-plan';

/** The ground truth of the sample; all paths are relative to its folder. */
export interface SampleTruth {
  /** The family of each picture that has one, including copies, edits, and blurred, dark and bright ones. */
  readonly families: ReadonlyMap<string, string>;
  /** Groups of byte-identical files, the original first. */
  readonly duplicates: readonly (readonly string[])[];
  readonly nearDuplicates: readonly { readonly original: string; readonly edited: string; readonly edit: Edit }[];
  readonly blurred: readonly string[];
  readonly dark: readonly string[];
  readonly bright: readonly string[];
  readonly odd: readonly string[];
  readonly unreadable: readonly string[];
}

export function truthOf(plan: SamplePlan): SampleTruth {
  const families = new Map(plan.drawn.map(({ path, family }) => [path, family.name]));
  const groups = new Map<string, string[]>();
  for (const { path, original } of plan.copies) {
    families.set(path, original.family.name);
    groups.set(original.path, [...(groups.get(original.path) ?? [original.path]), path]);
  }
  for (const { path, original } of plan.edits) families.set(path, original.family.name);
  const treated = (treatment: Treatment): string[] =>
    plan.drawn.filter((drawn) => drawn.treatment === treatment).map(({ path }) => path);
  return {
    families,
    duplicates: [...groups.values()],
    nearDuplicates: plan.edits.map(({ path, original, edit }) => ({ original: original.path, edited: path, edit })),
    blurred: treated('blurred'),
    dark: treated('dark'),
    bright: treated('bright'),
    odd: plan.oddities.map(({ path }) => path),
    unreadable: plan.faults.map(({ path }) => path),
  };
}
