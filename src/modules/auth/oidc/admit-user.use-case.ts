import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { AuditLog } from '../../audit';
import {
  DEFAULT_WORKSPACE,
  localAdmin,
  UserRepository,
  WorkspaceMemberRepository,
  type Membership,
  type User,
} from '../../workspaces';
import { NotAdmittedError } from '../sessions/domain/login-session';
import { addressOf, displayNameOf, type Identity } from './domain/identity';
import { AddressTakenError } from './domain/sign-in-errors';

/** Finds or creates the user for an identity of the provider, and updates names and roles from it. */
@Injectable()
export class AdmitUserUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
    private readonly audit: AuditLog,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  admit(identity: Identity): Promise<User> {
    return this.transactions.run(async () => {
      // Serialised, so that only one user is the first and no two take the same address.
      await this.members.lock(DEFAULT_WORKSPACE.id);
      const known = await this.users.findBySubject(identity.subject);
      await this.assertAddressFree(identity, known);
      const user = known === undefined ? await this.add(identity) : await this.refresh(known, identity);
      if (known !== undefined) await this.promoteIfBootstrap(user, identity);
      return user;
    });
  }

  /** Never linked by address: a user who can choose theirs at the provider could take over an account. */
  private async assertAddressFree(identity: Identity, known: User | undefined): Promise<void> {
    const holder = await this.users.findByEmail(addressOf(identity));
    if (holder !== undefined && holder.id !== known?.id) throw new AddressTakenError();
  }

  private async add(identity: Identity): Promise<User> {
    const user = { ...detailsOf(identity), id: randomUUID(), subject: identity.subject, createdAt: new Date() };
    const role = (await this.isAdminFromTheStart(identity)) ? 'admin' : 'viewer';
    await this.users.insert(user);
    await this.members.insert({
      workspaceId: DEFAULT_WORKSPACE.id,
      userId: user.id,
      role,
      createdAt: user.createdAt,
    });
    await this.audit.recordBy(principalOf(user), 'user_created', user.id, { workspaceRole: role, by: 'sign_in' });
    return user;
  }

  private async refresh(known: User, identity: Identity): Promise<User> {
    const memberships = await this.members.listOfUser(known.id);
    if (known.enabled === false || memberships.length === 0) throw new NotAdmittedError();
    const details = detailsOf(identity);
    await this.users.update(known.id, details);
    return { ...known, ...details };
  }

  private async isAdminFromTheStart(identity: Identity): Promise<boolean> {
    if (this.bootstrapEmail !== null) return this.mayBootstrap(identity);
    return !(await this.users.hasSubjects());
  }

  private async promoteIfBootstrap(user: User, identity: Identity): Promise<void> {
    if (!(await this.mayBootstrap(identity))) return;
    await this.members.setRole(DEFAULT_WORKSPACE.id, user.id, 'admin');
    await this.audit.recordBy(principalOf(user), 'workspace_role_changed', user.id, { role: 'admin', by: 'sign_in' });
  }

  /** Only while there is no admin who can sign in. */
  private async mayBootstrap({ email, isEmailVerified }: Identity): Promise<boolean> {
    if (this.bootstrapEmail === null || !isEmailVerified || email?.toLowerCase() !== this.bootstrapEmail) return false;
    return !(await this.members.listOfWorkspace(DEFAULT_WORKSPACE.id)).some(isRealAdmin);
  }

  private get bootstrapEmail(): string | null {
    return this.configuration.oidc?.bootstrapAdminEmail?.toLowerCase() ?? null;
  }
}

const isRealAdmin = ({ role, userId }: Membership): boolean => role === 'admin' && userId !== localAdmin().userId;

const detailsOf = (identity: Identity) => ({
  email: addressOf(identity),
  name: displayNameOf(identity),
  username: identity.username,
  firstName: identity.firstName,
  lastName: identity.lastName,
  realmRoles: identity.realmRoles,
});

const principalOf = ({ id, email }: User) => ({ userId: id, email });
