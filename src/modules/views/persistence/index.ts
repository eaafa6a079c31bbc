import { CreateSavedView1763700001300 } from './migrations/1763700001300-create-saved-view';
import { GatherAlerts1763700003000 } from './migrations/1763700003000-gather-alerts';
import { SavedViewEntity } from './saved-view.repository';
import { ViewEvaluationEntity } from './view-evaluation.repository';

export const viewsPersistence = {
  entities: [SavedViewEntity, ViewEvaluationEntity],
  migrations: [CreateSavedView1763700001300, GatherAlerts1763700003000],
};
