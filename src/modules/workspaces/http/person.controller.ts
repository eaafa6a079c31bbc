import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { WorkspaceRole } from '../../../common/platform/http/access';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';

const personResponse = z
  .object({ user_id: z.guid(), email: z.string().nullable(), name: z.string() })
  .meta({ id: 'Person', example: { user_id: EXAMPLE.user, email: 'ana@example.com', name: 'Ana Silva' } });

@ApiTags('Workspaces and organizations')
@Controller('api/v1/me')
export class PersonController {
  @Get()
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: 'The caller' })
  @ApiOkResponse({ standardSchema: personResponse })
  read(@CurrentPrincipal() { userId, email, name }: Principal): z.infer<typeof personResponse> {
    return { user_id: userId, email: email.includes('@') ? email : null, name };
  }
}
