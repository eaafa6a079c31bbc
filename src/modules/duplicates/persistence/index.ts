import { DuplicateDecisionEntity } from './duplicate-decision.repository';
import { CreateDuplicateDecision1763700005002 } from './migrations/1763700005002-create-duplicate-decision';

export const duplicatesPersistence = {
  entities: [DuplicateDecisionEntity],
  migrations: [CreateDuplicateDecision1763700005002],
};
