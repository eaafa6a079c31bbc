import { LoginSessionEntity } from './login-session.repository';
import { CreateLoginSession1763700001900 } from './migrations/1763700001900-create-login-session';
import { UsedLogoutTokenEntity } from './used-logout-token.repository';

export const sessionsPersistence = {
  entities: [LoginSessionEntity, UsedLogoutTokenEntity],
  migrations: [CreateLoginSession1763700001900],
};
