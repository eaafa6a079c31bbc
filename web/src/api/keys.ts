/** Keys of cached answers: all answers of a dataset are below its id, so that a change invalidates it at once. */
export const keys = {
  datasets: ['datasets'] as const,
  tasks: ['tasks'] as const,
  notifications: ['notifications'] as const,
  allDatasets: ['dataset'] as const,
  dataset: (id: string) => ['dataset', id] as const,
  of: (id: string, ...rest: readonly unknown[]) => ['dataset', id, ...rest] as const,
};
