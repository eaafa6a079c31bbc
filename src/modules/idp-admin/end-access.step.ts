import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../audit';
import { ApiKeys, Sessions } from '../auth';
import { UserRepository } from '../workspaces';

/** Within a transaction: what somebody has here ends, because the identity provider disabled or deleted them. */
@Injectable()
export class EndAccessStep {
  private readonly logger = new Logger(EndAccessStep.name);

  constructor(
    private readonly users: UserRepository,
    private readonly sessions: Sessions,
    private readonly keys: ApiKeys,
    private readonly audit: AuditLog,
  ) {}

  /** Whoever is disabled keeps the keys, which count again once they are enabled. Streams and webhooks ask who is let in. */
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
    this.logger.log(`User ${user.id} was ${reason} at the identity provider: their access has ended`);
  }
}
