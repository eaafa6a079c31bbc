import { API_SECRETS } from '../domain/api-key';
import { ApiKeyEntity } from './api-key.repository';
import { MIGRATIONS } from './migrations';

export const apiKeysPersistence = {
  entities: [ApiKeyEntity],
  migrations: MIGRATIONS,
  sealed: [{ table: 'api_key', id: 'api_key', sealed: 'sealed_secret', keyId: 'key_id', purpose: API_SECRETS }],
};
