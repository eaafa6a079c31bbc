import { apiKeysPersistence } from './api-keys/persistence/schema';
import { sessionsPersistence } from './sessions/persistence/schema';

export const authPersistence = {
  entities: [...apiKeysPersistence.entities, ...sessionsPersistence.entities],
  migrations: [...apiKeysPersistence.migrations, ...sessionsPersistence.migrations],
  sealed: apiKeysPersistence.sealed,
};
