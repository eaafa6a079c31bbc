import { IdentityProvider } from '../../src/modules/idp-admin/identity-provider';
import { FakeIdentityProvider } from './fake-identity-provider';
import { OIDC_VARIABLES, signedIn, type PersonOptions, type SignedIn } from './principals';
import { startTestApp, type TestApp } from './test-app';

export interface ManagedApp extends TestApp {
  readonly provider: FakeIdentityProvider;
}

/** Starts the program with an in-memory identity provider whose users it manages. */
export async function startManagedApp(
  variables: Readonly<Record<string, string>> = {},
  provider = new FakeIdentityProvider(),
): Promise<ManagedApp> {
  const running = await startTestApp({ ...OIDC_VARIABLES, ...variables }, (builder) =>
    builder.overrideProvider(IdentityProvider).useValue(provider),
  );
  return { ...running, provider };
}

/** Creates a user who exists in the service and at the provider, with an API key and a password. */
export async function managed(running: ManagedApp, person: PersonOptions): Promise<SignedIn & { username: string }> {
  const username = person.email.split('@')[0]!;
  const { id } = running.provider.add({ username, email: person.email, firstName: username, lastName: 'Tester' });
  if (person.realmRoles !== undefined) await running.provider.setRealmRoles(id, person.realmRoles);
  return { ...(await signedIn(running, { ...person, subject: id })), username };
}
