import { MIGRATIONS } from './migrations';
import { ProviderWorkEntity } from './provider-work.repository';
import { UserCreationEntity } from './user-creation.repository';

export const idpAdminPersistence = {
  entities: [ProviderWorkEntity, UserCreationEntity],
  migrations: MIGRATIONS,
};
