export { ApiKeys } from './api-keys/api-keys';
export { AuthModule } from './auth.module';
export { authPersistence } from './auth-persistence';
export { Renewals } from './renewals';
export { Sessions } from './sessions/sessions';
