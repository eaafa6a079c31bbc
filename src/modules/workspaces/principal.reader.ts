import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { WorkspaceMemberReader } from './persistence/workspace-member.reader';

/** Reads a user's current role, for every request, so that a change takes effect at the next. */
@Injectable()
export class PrincipalReader {
  constructor(private readonly members: WorkspaceMemberReader) {}

  /** In the user's primary workspace. Undefined for a user who is unknown, disabled, or in no workspace. */
  find(userId: string): Promise<Principal | undefined> {
    return this.members.findPrimary(userId);
  }
}
