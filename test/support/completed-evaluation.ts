import type { INestApplicationContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Outcomes } from '../../src/common/engine/evaluation/outcomes';
import type { EvaluatedSlices } from '../../src/modules/evaluation/domain/slice';
import { EvaluationFiles } from '../../src/modules/versions';

const NO_SLICES: EvaluatedSlices = { figure: null, slices: [] };

export interface GivenEvaluation {
  readonly id?: string;
  readonly dataset: string;
  readonly outcomes: Outcomes;
  readonly predictions?: string;
  readonly classConfidences?: Readonly<Record<string, number>>;
  readonly slices?: EvaluatedSlices;
}

/** An evaluation with given outcomes, as if it had completed. Its confidence is 0.5. Returns its id. */
export async function completedEvaluation(
  app: INestApplicationContext,
  {
    id = randomUUID(),
    dataset,
    outcomes,
    predictions = 'rival',
    classConfidences,
    slices = NO_SLICES,
  }: GivenEvaluation,
): Promise<string> {
  const file = await app.get(EvaluationFiles, { strict: false }).write(outcomes);
  await app.get(DataSource, { strict: false }).query(
    `INSERT INTO evaluation (id, dataset_id, name, truth, predictions, task, protocol, options, pictures, keep_up_to_date, created_by,
       created_at, completed_at, result_file, n_pictures, n_truth, n_predictions, confidence, metrics, per_class,
       error_costs, slices, evaluated)
     VALUES ($1, $2, 'Given', 'ground_truth', $3, 'detection', 'coco', $4, 'all', false, 'somebody', now(), now(), $5, $6, $7, $8,
       0.5, '{}', '[]', '{}', $9, '{"generation": "", "version": 0, "media": "", "truth": {"files": [], "table": null}, "predictions": {"files": [], "table": null}}')`,
    [
      id,
      dataset,
      predictions,
      JSON.stringify({ iou: 0.5, ...(classConfidences && { classConfidences }) }),
      file,
      outcomes.columns.truthFirsts.length - 1,
      outcomes.columns.truthLabels.length,
      outcomes.columns.predictionLabels.length,
      JSON.stringify(slices),
    ],
  );
  return id;
}
