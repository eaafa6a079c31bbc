import type { Provider } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { IdentityProvider } from './identity-provider';
import { KeycloakConnection } from './keycloak/keycloak-connection';
import { KeycloakIdentityProvider } from './keycloak/keycloak-identity-provider';

/** Keycloak if its admin API is configured. */
export const provideIdentityProvider: Provider = {
  provide: IdentityProvider,
  inject: [CONFIGURATION],
  useFactory: ({ keycloakAdmin }: Configuration) =>
    keycloakAdmin === null
      ? new AbsentIdentityProvider()
      : new KeycloakIdentityProvider(new KeycloakConnection(keycloakAdmin)),
};
