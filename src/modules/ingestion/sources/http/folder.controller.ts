import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { SelfHostedOnly, WorkspaceRole } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { FolderListReader } from '../folder-list.reader';
import { folderListResponse, folderQuery, type FolderQuery } from './folder.schemas';

@ApiTags('Ingestion')
@Controller('api/v1/ingestion')
@SelfHostedOnly()
export class FolderController {
  constructor(private readonly folders: FolderListReader) {}

  @Get('roots')
  @WorkspaceRole('editor')
  @RateLimited('search')
  @ApiOperation({
    summary: 'The folders that datasets can be created of, level by level',
    description:
      'Those of MEDIA_ROOTS, or those in one of them, by name, in pages. Hidden folders, and links that leave ' +
      'MEDIA_ROOTS, are left out.',
  })
  @ApiOkResponse({ standardSchema: folderListResponse })
  @MayFail(400, 403, 404)
  async list(
    @Query({ schema: folderQuery }) { path, page_number: page, limit }: FolderQuery,
  ): Promise<z.infer<typeof folderListResponse>> {
    const list = await this.folders.page(path, page, limit);
    return {
      path: list.path,
      parent: list.parent,
      folders: [...list.folders],
      n_media: list.media,
      is_complete: list.isComplete,
      total: list.total,
      total_pages: Math.ceil(list.total / limit),
      current_page: page,
    };
  }
}
