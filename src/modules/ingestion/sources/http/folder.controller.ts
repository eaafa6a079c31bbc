import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { SelfHostedOnly, WorkspaceRole } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { FolderListReader } from '../folder-list.reader';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { wholeNumber } from '../../../../common/platform/http/query-values';

const MOST_PER_PAGE = 1_000;
const MOST_PAGES = 1_000;

const folderQuery = z.object({
  path: z
    .string()
    .max(4096)
    .refine((path) => ['/', '~/'].some((start) => `${path}/`.startsWith(start)) && !path.includes('\0'), {
      error: 'Input should be an absolute path, or begin with ~/',
    })
    .optional()
    .meta({ description: 'The folder; the folders of MEDIA_ROOTS by default.', example: EXAMPLE.folder }),
  page_number: wholeNumber(0, MOST_PAGES).default(0).describe('From 0.'),
  limit: wholeNumber(1, MOST_PER_PAGE).default(100).describe(`Per page, 1 to ${MOST_PER_PAGE}; default 100.`),
});
type FolderQuery = z.output<typeof folderQuery>;

const folderListResponse = z
  .object({
    path: z.string().nullable().describe('Null for the folders of MEDIA_ROOTS.'),
    parent: z.string().nullable().describe('The folder above; null if this is one of MEDIA_ROOTS.'),
    folders: z.array(
      z.object({ name: z.string(), path: z.string().describe('To create a dataset of, or to list next.') }),
    ),
    n_media: z.int().describe('The number of images and videos in the folder, without subfolders.'),
    is_complete: z.boolean().describe('False if the folder has so many entries that only some of them were read.'),
    total: z.int().describe('How many folders there are on all pages.'),
    total_pages: z.int(),
    current_page: z.int(),
  })
  .meta({
    id: 'FolderList',
    example: {
      path: EXAMPLE.folder,
      parent: null,
      folders: [{ name: 'boats', path: `${EXAMPLE.folder}/boats` }],
      n_media: 0,
      is_complete: true,
      total: 1,
      total_pages: 1,
      current_page: 0,
    },
  });

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
