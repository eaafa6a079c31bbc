import { KeycloakConnection } from '../../src/modules/idp-admin/keycloak/keycloak-connection';
import { KeycloakIdentityProvider } from '../../src/modules/idp-admin/provide-identity-provider';
import { describeIdentityProvider } from '../support/identity-provider-contract';
import { signInWithPassword, testKeycloak } from './keycloak-environment';

describeIdentityProvider('a realm of Keycloak', () => ({
  provider: new KeycloakIdentityProvider(new KeycloakConnection(testKeycloak())),
  signIn: signInWithPassword,
}));
