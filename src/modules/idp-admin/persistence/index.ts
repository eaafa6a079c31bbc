import { CreateProviderWork1763700002000 } from './migrations';
import { ProviderWorkEntity } from './provider-work.repository';
import { UserCreationEntity } from './user-creation.repository';

export const idpAdminPersistence = {
  entities: [ProviderWorkEntity, UserCreationEntity],
  migrations: [CreateProviderWork1763700002000],
};
