import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { WorkspaceMemberReader } from './persistence/workspace-member.reader';

/** What a user is right now: read for every request, so that a change of role counts at the next. */
@Injectable()
export class PrincipalReader {
  constructor(private readonly members: WorkspaceMemberReader) {}

  /** By the user's primary workspace. Undefined for somebody unknown, kept out, or in no workspace. */
  find(userId: string): Promise<Principal | undefined> {
    return this.members.findPrimary(userId);
  }
}
