import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../audit';
import { ApiKeys, Sessions } from '../auth';
import { UserRepository } from '../workspaces';

/** Ends a user's access, because the identity provider disabled or deleted the user. Runs in the caller's transaction. */
@Injectable()
export class EndAccessStep {
  private readonly logger = new Logger(EndAccessStep.name);

  constructor(
    private readonly users: UserRepository,
    private readonly sessions: Sessions,
    private readonly keys: ApiKeys,
    private readonly audit: AuditLog,
  ) {}

  /** A disabled user keeps the API keys, which are valid again once enabled. Streams and webhooks check access themselves. */
  async run(subject: string, reason: 'deleted' | 'disabled'): Promise<void> {
    await this.sessions.endOfSubject(subject);
    const user = await this.users.findBySubject(subject);
    if (user === undefined) return;
    if (reason === 'deleted') await this.keys.revokeAllOf(user.id);
    if (user.enabled === false) return;
    await this.users.update(user.id, { enabled: false });
    await this.audit.record({
      action: 'user_access_ended',
      actorId: null,
      actorEmail: null,
      subject: user.id,
      details: { reason: `${reason} at the identity provider`, email: user.email },
    });
    this.logger.log(`User ${user.id} was ${reason} at the identity provider, so their access here was ended`);
  }
}
