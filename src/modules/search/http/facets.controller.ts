import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { ENTITY_KINDS } from '../../../common/engine/media-table/media-row';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { MEDIA_TYPE_NAMES, MEDIA_TYPES } from '../domain/entity-type';
import { ISSUE_NAMES } from '../domain/query/filter';
import { FacetsService } from '../facets.service';
import { TagReader } from '../tags/tag.reader';
import { facetParameters } from './search-parameters';

const valueCounts = z.array(z.object({ value: z.string(), count: z.int() }));

const facetsResult = z
  .object({
    total: z.int(),
    labels: valueCounts,
    unlabeled: z.int(),
    tags: z.array(z.object({ id: z.uuid(), name: z.string(), count: z.int() })),
    untagged: z.int(),
    issues: z.array(z.object({ issue: z.enum(ISSUE_NAMES), count: z.int() })),
    media_types: z.array(z.object({ value: z.enum(MEDIA_TYPE_NAMES), count: z.int() })),
    folders: valueCounts,
  })
  .meta({
    id: 'Facets',
    example: {
      total: 1200,
      labels: [{ value: 'boat', count: 310 }],
      unlabeled: 890,
      tags: [{ id: EXAMPLE.tag, name: 'Checked', count: 12 }],
      untagged: 1188,
      issues: [{ issue: 'blur', count: 7 }],
      media_types: [{ value: 'image', count: 1200 }],
      folders: [{ value: 'boats', count: 640 }],
    },
  });

/** Maximum number of values of each kind. */
const MOST_VALUES = 1000;

@ApiTags('Search')
@Controller('api/v1/dataset')
export class FacetsController {
  constructor(
    private readonly facets: FacetsService,
    private readonly tags: TagReader,
  ) {}

  @Get(':dataset_id/facets')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The counts of a search result by label, tag, issue, media type and folder' })
  @ApiOkResponse({ standardSchema: facetsResult })
  @MayFail(409)
  async count(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: facetParameters }) { query, snapshotId }: z.output<typeof facetParameters>,
  ): Promise<z.infer<typeof facetsResult>> {
    const { found: facets, names } = await this.tags.withNames(datasetId, snapshotId, () =>
      this.facets.of(datasetId, query, snapshotId),
    );
    const { kinds } = facets;
    return {
      total: facets.total,
      labels: facets.labels.slice(0, MOST_VALUES).map(({ label, count }) => ({ value: label, count })),
      unlabeled: facets.unlabeled,
      tags: facets.tags.flatMap(({ id, count }) => {
        const name = names.get(id);
        return name === undefined ? [] : [{ id, name, count }];
      }),
      untagged: facets.untagged,
      issues: [...facets.issues],
      media_types: ENTITY_KINDS.map((kind) => ({ value: MEDIA_TYPES[kind], count: kinds[kind] })).filter(
        ({ count }) => count > 0,
      ),
      folders: facets.folders.slice(0, MOST_VALUES).map(({ folder, count }) => ({ value: folder, count })),
    };
  }
}
