import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { wholeNumber } from '../../../../common/platform/http/query-values';

const MOST_PER_PAGE = 1_000;
const MOST_PAGES = 1_000;

export const folderQuery = z.object({
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
export type FolderQuery = z.output<typeof folderQuery>;

export const folderListResponse = z
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
