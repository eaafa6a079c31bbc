import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { DatasetSharesReader, ShareDatasetUseCase } from '../share-dataset.use-case';
import { GRANTED_ROLES } from '../domain/dataset-role';

const email = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(320, { error: 'Input should be at most 320 characters' })
  .refine((text) => !text.includes('\0'), { error: 'Input should have no NUL' });

export const inviteBody = z
  .object({
    grant_to_user_email: email,
    role: z
      .enum(GRANTED_ROLES, { error: 'Input should be viewer or editor' })
      .optional()
      .describe('Default: viewer, or the current role if the user already has access.'),
  })
  .meta({ example: { grant_to_user_email: 'ben@example.com', role: 'editor' } });
type InviteBody = z.infer<typeof inviteBody>;

const withdrawQuery = z.object({
  email: email.meta({ description: 'E-mail address of the user who loses access.', example: 'ben@example.com' }),
});
type WithdrawQuery = z.infer<typeof withdrawQuery>;

const shareResponse = z
  .object({ email: z.string(), role: z.enum(['owner', ...GRANTED_ROLES]) })
  .meta({ id: 'DatasetShare', example: { email: 'ana@example.com', role: 'owner' } });
type ShareResponse = z.infer<typeof shareResponse>;

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Sharing')
@Controller('api/v1/manage/:dataset_id')
export class SharingController {
  constructor(
    private readonly sharing: ShareDatasetUseCase,
    private readonly shares: DatasetSharesReader,
  ) {}

  @Put('invite')
  @DatasetAccess('own')
  @ApiOperation({ summary: 'Share a dataset with a user of its workspace, or change the role' })
  @ApiOkResponse({ standardSchema: z.null() })
  async invite(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Body({ schema: inviteBody }) { grant_to_user_email: email, role }: InviteBody,
    @CurrentPrincipal() principal: Principal,
    @Res() response: Response,
  ): Promise<void> {
    await this.sharing.invite(id, { email, role }, principal);
    response.json(null);
  }

  @Get('share')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Users with access to a dataset, owner first' })
  @ApiOkResponse({ standardSchema: shareResponse.array() })
  async list(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ShareResponse[]> {
    return this.shares.list(id, principal);
  }

  @Delete('share')
  @HttpCode(200)
  @DatasetAccess('own')
  @ApiOperation({ summary: 'Stop sharing a dataset with a user' })
  @ApiOkResponse({ standardSchema: z.null() })
  @MayFail(400)
  async withdraw(
    @Param({ schema: datasetPath }) { dataset_id: id }: DatasetPath,
    @Query({ schema: withdrawQuery }) { email }: WithdrawQuery,
    @CurrentPrincipal() principal: Principal,
    @Res() response: Response,
  ): Promise<void> {
    await this.sharing.withdraw(id, email, principal);
    response.json(null);
  }
}
