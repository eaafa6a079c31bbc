import { LoginSessionEntity, UsedLogoutTokenEntity } from './login-session.repository';
import { MIGRATIONS } from './migrations';

export const sessionsPersistence = {
  entities: [LoginSessionEntity, UsedLogoutTokenEntity],
  migrations: MIGRATIONS,
};
