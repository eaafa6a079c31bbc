import { randomUUID } from 'node:crypto';
import { Injectable, Inject } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { DomainError } from '../../../common/platform/errors/domain-error';
import { AuditLog } from '../../audit';
import { Sessions } from '../sessions/sessions';
import { SignInRefusedError, AddressTakenError } from './domain/sign-in-errors';
import { IdentityClient, type VerifiedIdentity } from './identity-client';
import type { SignInAttempt } from './sign-in-attempts';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
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

@Injectable()
export class SignInUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly identities: IdentityClient,
    private readonly admitUser: AdmitUserUseCase,
    private readonly sessions: Sessions,
    private readonly audit: AuditLog,
  ) {}

  /** Always starts a new session and ends the one of the previous cookie (session fixation). */
  async signIn(parameters: URLSearchParams, attempt: SignInAttempt, oldToken: string | undefined): Promise<string> {
    let identity: VerifiedIdentity | undefined;
    try {
      identity = await this.identities.identify(parameters, attempt);
      return await this.beginSession(identity, oldToken);
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) await this.recordFailure(error, identity);
      throw error;
    }
  }

  private beginSession(identity: VerifiedIdentity, oldToken: string | undefined): Promise<string> {
    return this.transactions.run(async () => {
      const { id, email } = await this.admitUser.admit(identity);
      if (oldToken !== undefined) await this.sessions.end(oldToken);
      const { subject, providerSid, idToken } = identity;
      const token = await this.sessions.begin({ userId: id, subject, providerSid, idToken });
      await this.audit.recordBy({ userId: id, email }, 'sign_in', subject);
      return token;
    });
  }

  private async recordFailure(error: DomainError, identity: VerifiedIdentity | undefined): Promise<void> {
    const reason = error instanceof SignInRefusedError ? error.code : error.detail;
    await this.audit.record({
      action: 'sign_in_failed',
      actorId: null,
      actorEmail: identity?.email ?? null,
      subject: identity?.subject ?? null,
      details: { reason },
    });
  }
}
