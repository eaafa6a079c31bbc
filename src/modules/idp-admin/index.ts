export { IdpAdminModule } from './idp-admin.module';
export { idpAdminPersistence } from './persistence/schema';
