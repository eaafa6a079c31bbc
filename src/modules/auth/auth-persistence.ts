import { apiKeysPersistence } from './api-keys/persistence';
import { sessionsPersistence } from './sessions/persistence';

export const authPersistence = {
  entities: [...apiKeysPersistence.entities, ...sessionsPersistence.entities],
  migrations: [...apiKeysPersistence.migrations, ...sessionsPersistence.migrations],
  sealed: apiKeysPersistence.sealed,
};
