import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { DatasetSharesReader } from '../dataset-shares.reader';
import { ShareDatasetUseCase } from '../share-dataset.use-case';
import {
  inviteBody,
  shareResponse,
  withdrawQuery,
  type InviteBody,
  type ShareResponse,
  type WithdrawQuery,
} from './sharing.schemas';

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
