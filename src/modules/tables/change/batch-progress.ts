import type { BuildPhase } from '../build/build-table.step';
import type { ProgressReporter } from '../runs/progress-reporter';

/** The progress of a batch after its files are analysed, which takes the first 80 %. */
export const batchProgress = (progress: ProgressReporter) => ({
  applying: (modelId: string, part: number): void => progress.report(80 + 8 * part, `Applying ${modelId}`),
  writing: (phase: BuildPhase, part: number): void => {
    if (phase === 'comparing') progress.report(88 + 7 * part, 'Comparing media');
    else progress.report(95 + 4 * part, 'Writing the table');
  },
});
