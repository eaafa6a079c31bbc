import { Logger } from '@nestjs/common';
import pMap from 'p-map';
import { ADMIN_REALM_ROLES, ROUTE_REALM_ROLES } from '../domain/provider-user';
import { type Keycloak, type KeycloakConnection, statusOf } from './keycloak-connection';

interface Role {
  readonly id: string;
  readonly name: string;
}

interface NamedMaybe {
  readonly id?: string;
  readonly name?: string;
}

/** The default roles of a new realm. */
const USUAL_DEFAULT_PARTS: readonly string[] = ['offline_access', 'uma_authorization'];

/** Its roles concern only the user's own account. */
const OWN_ACCOUNT_CLIENT = 'account';

const CLIENTS_AT_ONCE = 8;

/** How often to check whether the service account can see the client. */
const RECHECK_MS = 60_000;

const asRoles = (mappings: readonly NamedMaybe[] | undefined): Role[] =>
  (mappings ?? []).flatMap(({ id, name }) => (id === undefined || name === undefined ? [] : [{ id, name }]));

const isAdminRole = ({ name }: Role): boolean => ADMIN_REALM_ROLES.includes(name);

/**
 * The roles of users. Those for administering users are realm roles and, for Keycloak's admin console, client roles of the
 * same names.
 */
export class KeycloakRoles {
  private readonly logger = new Logger('Keycloak');
  private readonly adminClientName: string;
  private clientIds: Promise<ReadonlyMap<string, string>> | undefined;
  private recheckAt = 0;
  private hasWarned = false;

  constructor(private readonly connection: KeycloakConnection) {
    this.adminClientName = connection.realm === 'master' ? 'master-realm' : 'realm-management';
  }

  /** Directly assigned roles, and those required by routes even if inherited from a group or another role. */
  namesOf(userId: string): Promise<string[]> {
    return this.connection.run('read the roles', async (keycloak) => {
      const { users } = keycloak;
      const { realmMappings, clientMappings } = await users.listRoleMappings({ id: userId });
      const ofClient = clientMappings?.[this.adminClientName] as { mappings?: NamedMaybe[] } | undefined;
      const given = [...asRoles(realmMappings), ...asRoles(ofClient?.mappings).filter(isAdminRole)];
      const effective = asRoles(await users.listCompositeRealmRoleMappings({ id: userId }));
      const clientUniqueId = await this.adminClient(keycloak);
      if (clientUniqueId !== undefined)
        effective.push(...asRoles(await users.listCompositeClientRoleMappings({ id: userId, clientUniqueId })));
      const names = [...given, ...effective.filter(({ name }) => ROUTE_REALM_ROLES.includes(name))].map(
        ({ name }) => name,
      );
      return [...new Set(names)].sort();
    });
  }

  /** Without the default roles. Client roles are prefixed with the client's name. */
  async effectiveOf(userId: string): Promise<string[]> {
    const defaults = await this.defaultNames();
    return this.connection.run('read the roles', async (keycloak) => {
      const { users } = keycloak;
      const ofRealm = asRoles(await users.listCompositeRealmRoleMappings({ id: userId }));
      const clients = [...(await this.clients(keycloak))].filter(([client]) => client !== OWN_ACCOUNT_CLIENT);
      const ofClients = await pMap(
        clients,
        async ([client, clientUniqueId]) =>
          asRoles(await users.listCompositeClientRoleMappings({ id: userId, clientUniqueId })).map(
            ({ name }) => `${client}/${name}`,
          ),
        { concurrency: CLIENTS_AT_ONCE },
      );
      const names = ofRealm.map(({ name }) => name).filter((name) => !defaults.has(name));
      return [...names, ...ofClients.flat()].sort();
    });
  }

  grantableTo(userId: string): Promise<string[]> {
    return this.connection.run('read the roles', async (keycloak) => {
      const { users } = keycloak;
      const roles = asRoles(await users.listAvailableRealmRoleMappings({ id: userId }));
      const clientUniqueId = await this.adminClient(keycloak);
      if (clientUniqueId !== undefined)
        roles.push(
          ...asRoles(await users.listAvailableClientRoleMappings({ id: userId, clientUniqueId })).filter(isAdminRole),
        );
      return [...new Set(roles.map(({ name }) => name))].sort();
    });
  }

  async set(userId: string, names: readonly string[], granted: readonly string[]): Promise<void> {
    const defaults = await this.defaultNames();
    await this.revoke(userId, ({ name }) => !names.includes(name) && !defaults.has(name));
    await this.grant(userId, granted);
  }

  /** Roles that don't exist, or that the service account may not grant, are ignored. */
  grant(userId: string, names: readonly string[]): Promise<void> {
    const isMeant = ({ name }: Role): boolean => names.includes(name);
    return this.connection.run('grant the roles', async (keycloak) => {
      const { users } = keycloak;
      const roles = asRoles(await users.listAvailableRealmRoleMappings({ id: userId })).filter(isMeant);
      if (roles.length > 0) await users.addRealmRoleMappings({ id: userId, roles });
      const clientUniqueId = names.some((name) => ADMIN_REALM_ROLES.includes(name))
        ? await this.adminClient(keycloak)
        : undefined;
      if (clientUniqueId === undefined) return;
      const available = asRoles(await users.listAvailableClientRoleMappings({ id: userId, clientUniqueId }));
      const ofClient = available.filter(isAdminRole).filter(isMeant);
      if (ofClient.length > 0) await users.addClientRoleMappings({ id: userId, clientUniqueId, roles: ofClient });
    });
  }

  revoke(userId: string, isMeant: (role: Role) => boolean): Promise<void> {
    return this.connection.run('revoke the roles', async (keycloak) => {
      const { users } = keycloak;
      const roles = asRoles(await users.listRealmRoleMappings({ id: userId })).filter(isMeant);
      if (roles.length > 0) await users.delRealmRoleMappings({ id: userId, roles });
      const clientUniqueId = await this.adminClient(keycloak);
      if (clientUniqueId === undefined) return;
      const held = asRoles(await users.listClientRoleMappings({ id: userId, clientUniqueId }));
      const ofClient = held.filter(isAdminRole).filter(isMeant);
      if (ofClient.length > 0) await users.delClientRoleMappings({ id: userId, clientUniqueId, roles: ofClient });
    });
  }

  private defaultNames(): Promise<ReadonlySet<string>> {
    return this.connection.run('read the default roles', async ({ realms, roles }) => {
      const { realm } = this.connection;
      const [role] = asRoles([(await undefinedIfForbidden(realms.findOne({ realm })))?.defaultRole ?? {}]);
      if (role === undefined) return new Set([`default-roles-${realm.toLowerCase()}`, ...USUAL_DEFAULT_PARTS]);
      const parts = asRoles(await roles.getCompositeRolesForRealm({ id: role.id }));
      return new Set([role.name, ...parts.map(({ name }) => name)]);
    });
  }

  /** Id of the client that has Keycloak's admin roles; undefined if the service account can't see it. */
  private async adminClient(keycloak: Keycloak): Promise<string | undefined> {
    return (await this.clients(keycloak)).get(this.adminClientName);
  }

  /** By their names; empty if the service account can't see them. */
  private clients(keycloak: Keycloak): Promise<ReadonlyMap<string, string>> {
    if (this.clientIds !== undefined && Date.now() < this.recheckAt) return this.clientIds;
    this.recheckAt = Date.now() + RECHECK_MS;
    this.clientIds = this.findClients(keycloak).catch((error: unknown) => {
      this.clientIds = undefined;
      throw error;
    });
    return this.clientIds;
  }

  private async findClients({ clients }: Keycloak): Promise<ReadonlyMap<string, string>> {
    const found = (await undefinedIfForbidden(clients.find())) ?? [];
    const ids = new Map(
      found.flatMap(({ clientId, id }) =>
        clientId === undefined || id === undefined ? [] : [[clientId, id] as const],
      ),
    );
    if (!ids.has(this.adminClientName) && !this.hasWarned) {
      this.hasWarned = true;
      this.logger.warn(
        `The service account cannot see the client ${this.adminClientName}, so only realm roles are used. Give it the role view-clients.`,
      );
    }
    return ids;
  }
}

async function undefinedIfForbidden<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === 403) return undefined;
    throw error;
  }
}
