import { LoginSessionEntity, UsedLogoutTokenEntity } from './login-session.repository';
import { CreateLoginSession1763700001900 } from './migrations';

export const sessionsPersistence = {
  entities: [LoginSessionEntity, UsedLogoutTokenEntity],
  migrations: [CreateLoginSession1763700001900],
};
