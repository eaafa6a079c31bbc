import { API_SECRETS } from '../domain/api-key';
import { ApiKeyEntity } from './api-key.repository';
import { CreateApiKey1763700001800 } from './migrations';

export const apiKeysPersistence = {
  entities: [ApiKeyEntity],
  migrations: [CreateApiKey1763700001800],
  sealed: [{ table: 'api_key', id: 'api_key', sealed: 'sealed_secret', keyId: 'key_id', purpose: API_SECRETS }],
};
