import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  IdentityProviderError,
  RefusedByProviderError,
  type ProviderUser,
} from '../../src/modules/idp-admin/domain/provider-user';
import { KeycloakConnection } from '../../src/modules/idp-admin/keycloak/keycloak-connection';
import { KeycloakIdentityProvider } from '../../src/modules/idp-admin/provide-identity-provider';
import { asRoot, testKeycloak } from './keycloak-environment';

interface Named {
  readonly id: string;
  readonly name: string;
}

const ALL = ['manage-users', 'query-groups', 'query-users', 'view-users'];
const NEEDED = [...ALL, 'view-realm'];

describe('a Keycloak realm with a different setup', () => {
  const realm = `realm-${randomUUID().slice(0, 8)}`;
  const defaultRole = `default-roles-${realm}`;
  let adminClient: string;
  let provider: KeycloakIdentityProvider;

  const connect = (): KeycloakIdentityProvider =>
    new KeycloakIdentityProvider(
      new KeycloakConnection({ ...testKeycloak(), realm, clientId: 'admin', clientSecret: 'secret' }),
    );
  const get = async <T>(path: string): Promise<T> => (await asRoot('GET', `${realm}/${path}`)) as T;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await asRoot('POST', '', {
      realm,
      enabled: true,
      editUsernameAllowed: false,
      passwordPolicy: 'length(12)',
      roles: { realm: [{ name: 'manage-users' }, { name: 'annotator' }, { name: 'everybody' }] },
      clients: [{ clientId: 'admin', secret: 'secret', serviceAccountsEnabled: true, publicClient: false }],
    });
    adminClient = (await get<Named[]>('clients?clientId=realm-management'))[0]!.id;
    provider = connect();
  });

  afterAll(() => asRoot('DELETE', realm));

  const allowAccount = async (names: readonly string[]): Promise<void> => {
    const [account] = await get<Named[]>('users?username=service-account-admin&exact=true');
    const roles = await get<Named[]>(`clients/${adminClient}/roles`);
    const granted = roles.filter(({ name }) => names.includes(name));
    await asRoot('POST', `${realm}/users/${account!.id}/role-mappings/clients/${adminClient}`, granted);
  };

  const create = (more: { password?: string; firstName?: string } = {}): Promise<ProviderUser> => {
    const person = { username: randomUUID(), password: 'long-enough-here', firstName: 'Ada', lastName: 'Lovelace' };
    return provider.create({ ...person, enabled: true, ...more });
  };
  const rolesOf = async ({ id }: ProviderUser): Promise<readonly string[] | undefined> =>
    (await provider.find(id))?.roles;
  const clientRolesOf = async ({ id }: ProviderUser): Promise<string[]> =>
    (await get<Named[]>(`users/${id}/role-mappings/clients/${adminClient}`)).map(({ name }) => name).sort();

  it('reports the role that its service account lacks', async () => {
    await expect(create()).rejects.toEqual(
      new IdentityProviderError('create the user', 'its service account lacks a role for this'),
    );
  });

  it('uses realm roles only if its service account cannot see clients', async () => {
    await allowAccount(NEEDED);
    provider = connect();
    const user = await create();
    await provider.grantAdminRoles(user.id);
    expect(await rolesOf(user)).toEqual([defaultRole, 'manage-users']);
    expect(await clientRolesOf(user)).toEqual([]);
    await provider.revokeAdminRoles(user.id);
    expect(await rolesOf(user)).toEqual([defaultRole]);
  });

  it('also grants, honours and revokes client roles if the service account can see them', async () => {
    await allowAccount(['view-clients']);
    provider = connect();
    const user = await create();
    await provider.grantAdminRoles(user.id);
    expect(await rolesOf(user)).toEqual([defaultRole, ...ALL]);
    expect(await clientRolesOf(user)).toEqual(ALL);
    await provider.setRealmRoles(user.id, ['view-users', 'annotator']);
    expect(await rolesOf(user)).toEqual(['annotator', defaultRole, 'view-users']);
    expect(await clientRolesOf(user)).toEqual(['view-users']);
    await provider.revokeAdminRoles(user.id);
    expect(await rolesOf(user)).toEqual(['annotator', defaultRole]);
    expect(await clientRolesOf(user)).toEqual([]);
  });

  it('does not grant a role again as the other kind', async () => {
    const user = await create();
    const manage = await get<Named>('roles/manage-users');
    await asRoot('POST', `${realm}/users/${user.id}/role-mappings/realm`, [manage]);
    await provider.setRealmRoles(user.id, ['manage-users', 'annotator'], ['annotator']);
    expect(await rolesOf(user)).toEqual(['annotator', defaultRole, 'manage-users']);
    expect(await clientRolesOf(user)).toEqual([]);
  });

  it('honours roles from groups', async () => {
    const user = await create();
    await asRoot('POST', `${realm}/groups`, { name: 'admins' });
    const [group] = await get<Named[]>('groups?search=admins');
    const manage = await get<Named>('roles/manage-users');
    await asRoot('POST', `${realm}/groups/${group!.id}/role-mappings/realm`, [manage]);
    await asRoot('PUT', `${realm}/users/${user.id}/groups/${group!.id}`);
    expect(await rolesOf(user)).toEqual([defaultRole, 'manage-users']);
    expect(await provider.effectiveRoles(user.id)).toEqual(['manage-users']);
  });

  it('includes the realm and administration roles in composite roles', async () => {
    await asRoot('POST', `${realm}/roles`, { name: 'superuser' });
    const superuser = await get<Named>('roles/superuser');
    const realmAdmin = await get<Named>(`clients/${adminClient}/roles/realm-admin`);
    const annotator = await get<Named>('roles/annotator');
    await asRoot('POST', `${realm}/roles-by-id/${superuser.id}/composites`, [realmAdmin, annotator]);
    const user = await create();
    expect(await provider.effectiveRoles(user.id)).toEqual([]);
    expect(await provider.grantableRoles(user.id)).toEqual(expect.arrayContaining(['superuser', 'annotator']));
    await asRoot('POST', `${realm}/users/${user.id}/role-mappings/realm`, [superuser]);
    expect(await provider.effectiveRoles(user.id)).toEqual(
      expect.arrayContaining([
        'annotator',
        'superuser',
        'realm-management/realm-admin',
        'realm-management/manage-realm',
      ]),
    );
  });

  it('includes roles of other clients in the realm, from any source', async () => {
    await asRoot('POST', `${realm}/clients`, { clientId: 'billing' });
    const [billing] = await get<Named[]>('clients?clientId=billing');
    for (const name of ['treasurer', 'clerk']) await asRoot('POST', `${realm}/clients/${billing!.id}/roles`, { name });
    const treasurer = await get<Named>(`clients/${billing!.id}/roles/treasurer`);
    const clerk = await get<Named>(`clients/${billing!.id}/roles/clerk`);
    provider = connect();
    const user = await create();
    expect(await provider.effectiveRoles(user.id)).toEqual([]);
    await asRoot('POST', `${realm}/users/${user.id}/role-mappings/clients/${billing!.id}`, [treasurer]);
    await asRoot('POST', `${realm}/groups`, { name: 'clerks' });
    const [group] = await get<Named[]>('groups?search=clerks');
    await asRoot('POST', `${realm}/groups/${group!.id}/role-mappings/clients/${billing!.id}`, [clerk]);
    await asRoot('PUT', `${realm}/users/${user.id}/groups/${group!.id}`);
    expect(await provider.effectiveRoles(user.id)).toEqual(['billing/clerk', 'billing/treasurer']);
  });

  it('does not change default roles', async () => {
    const everybody = await get<Named>('roles/everybody');
    const composite = await get<Named>(`roles/${defaultRole}`);
    await asRoot('POST', `${realm}/roles-by-id/${composite.id}/composites`, [everybody]);
    const user = await create();
    await provider.setRealmRoles(user.id, ['everybody', 'annotator']);
    await provider.setRealmRoles(user.id, []);
    expect(await rolesOf(user)).toEqual([defaultRole, 'everybody']);
  });

  it('reports which of its rules was violated', async () => {
    await expect(create({ password: 'too-short' })).rejects.toEqual(
      new RefusedByProviderError('create the user', 'Invalid password: minimum length 12.'),
    );
    await expect(create({ firstName: '<Ada>' })).rejects.toEqual(
      new RefusedByProviderError('create the user', 'the first name has a character that is not allowed'),
    );
    const user = await create();
    await expect(provider.setTemporaryPassword(user.id, 'too-short')).rejects.toEqual(
      new RefusedByProviderError('set the password', 'Invalid password: minimum length 12.'),
    );
    await expect(provider.update(user.id, { username: randomUUID() })).rejects.toEqual(
      new RefusedByProviderError('change the user', 'the username may not be changed'),
    );
    expect(await provider.find(user.id)).toEqual(user);
  });

  it('may revoke a token before it expires', async () => {
    const user = await create();
    const [client] = await get<Named[]>('clients?clientId=admin');
    await asRoot('PUT', `${realm}/clients/${client!.id}`, { ...client, notBefore: Math.floor(Date.now() / 1000) });
    expect(await rolesOf(user)).toEqual([defaultRole]);
  });
});
