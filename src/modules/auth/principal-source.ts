import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../common/http/principal';
import { localAdmin } from '../workspaces';

/** Tells who sends a request. */
export abstract class PrincipalSource {
  abstract of(request: Request): Principal;
}

/** `AUTH_MODE=none`: whoever reaches the service is its one local admin. */
@Injectable()
export class LocalAdminSource extends PrincipalSource {
  of(): Principal {
    return localAdmin();
  }
}
