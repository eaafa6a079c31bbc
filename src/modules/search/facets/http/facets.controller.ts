import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { ENTITY_KINDS, METADATA_TYPES } from '../../../../common/engine/media-table/media-row';
import { OUTCOMES } from '../../../../common/engine/evaluation/counted-outcomes';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { MEDIA_TYPE_NAMES, MEDIA_TYPES } from '../../media/http/media.presenter';
import { ISSUE_NAMES } from '../../query/domain/filter';
import { anyText, containing } from '../../../../common/platform/text/texts';
import { PublishedStateReader, type LabelCount } from '../../../versions';
import { FacetsService } from '../facets.service';
import type { FieldFacet } from '../field-facets';
import { approximateFields, presentApproximate } from '../../query/http/approximate';
import { facetParameters } from '../../query/http/search-parameters';

const valueCounts = z.array(z.object({ value: z.string(), count: z.int() }));

const labelCounts = z.array(
  z.object({
    value: z.string(),
    count: z.int(),
    parents: z.array(z.string()).describe('The labels above it, from the nearest to the widest.'),
  }),
);

const facetsResult = z
  .object({
    total: z.int(),
    labels: labelCounts,
    labels_total: z.int().describe('How many labels there are; `labels` has the 1000 most frequent.'),
    broader_labels: labelCounts.describe(
      'The labels above those of the result, as installed taggers know them; 1000 at most. Each counts the items with it or a label below it.',
    ),
    unlabeled: z.int(),
    tags: z.array(z.object({ id: z.uuid(), name: z.string(), count: z.int() })),
    untagged: z.int(),
    issues: z.array(z.object({ issue: z.enum(ISSUE_NAMES), count: z.int() })),
    outcomes: z
      .array(z.object({ outcome: z.enum(OUTCOMES), count: z.int() }))
      .describe('Items with an annotation or prediction of each outcome; empty without `evaluation`.'),
    media_types: z.array(z.object({ value: z.enum(MEDIA_TYPE_NAMES), count: z.int() })),
    folders: valueCounts,
    folders_total: z.int().describe('How many folders there are; `folders` has the 1000 with the most items.'),
    custom_metadata: z
      .array(
        z.object({
          field_name: z.string(),
          field_type: z.enum(METADATA_TYPES),
          count: z.int().describe('Items with a value.'),
          values: valueCounts.nullable().describe('The 100 most frequent values; null of numbers and datetimes.'),
          values_total: z.int().nullable().describe('How many values there are; null of numbers and datetimes.'),
          min: z.union([z.number(), z.string()]).nullable(),
          max: z.union([z.number(), z.string()]).nullable(),
        }),
      )
      .describe('Fields of your own with a value in the result without their own filters.'),
    ...approximateFields,
  })
  .meta({
    id: 'Facets',
    example: {
      total: 1200,
      labels: [{ value: 'boat', count: 310, parents: ['vehicle'] }],
      labels_total: 1,
      broader_labels: [{ value: 'vehicle', count: 310, parents: [] }],
      unlabeled: 890,
      tags: [{ id: EXAMPLE.tag, name: 'Checked', count: 12 }],
      untagged: 1188,
      issues: [{ issue: 'blur', count: 7 }],
      outcomes: [],
      media_types: [{ value: 'image', count: 1200 }],
      folders: [{ value: 'boats', count: 640 }],
      folders_total: 1,
      custom_metadata: [
        { field_name: 'depth', field_type: 'float', count: 800, values: null, values_total: null, min: 0.5, max: 12 },
        {
          field_name: 'site',
          field_type: 'string',
          count: 640,
          values: [{ value: 'north harbour', count: 640 }],
          values_total: 1,
          min: null,
          max: null,
        },
      ],
    },
  });

const presentField = ({
  name,
  type,
  count,
  values,
  valuesTotal,
  range,
}: FieldFacet): z.infer<typeof facetsResult>['custom_metadata'][number] => {
  const shown = (bound: number): number | string => (type === 'datetime' ? new Date(bound).toISOString() : bound);
  return {
    field_name: name,
    field_type: type,
    count,
    values: values === null ? null : [...values],
    values_total: valuesTotal,
    min: range === null ? null : shown(range.min),
    max: range === null ? null : shown(range.max),
  };
};

/** Maximum number of values of each kind. */
const MOST_VALUES = 1000;

@ApiTags('Search')
@Controller('api/v1/dataset')
export class FacetsController {
  constructor(
    @Inject(PublishedStateReader) private readonly states: Pick<PublishedStateReader, 'get'>,
    private readonly facets: FacetsService,
  ) {}

  @Get(':dataset_id/facets')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({
    summary: 'The counts of a search result by label, tag, issue, media type, folder and field of your own',
    description:
      'Labels, tags, issues, media types and folders are counted without the filters that accept any of several of them (`one_of`), ' +
      'so each list also has the values that could be chosen beside those. So is a field of your own without the filters by its value or range ' +
      '(all but `contains`). `total` is counted with all filters.',
  })
  @ApiOkResponse({ standardSchema: facetsResult })
  @MayFail(400, 409)
  async count(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: facetParameters }) { query, snapshotId, search, ...whose }: z.output<typeof facetParameters>,
  ): Promise<z.infer<typeof facetsResult>> {
    const isSought = search === undefined ? anyText : containing(search);
    const state = await this.states.get(datasetId, snapshotId);
    const facets = await this.facets.of(state, query, { isSought, ...whose });
    const { kinds } = facets;
    const presentLabels = (labels: readonly LabelCount[]): z.infer<typeof labelCounts> =>
      labels.slice(0, MOST_VALUES).map(({ label, count }) => {
        return { value: label, count, parents: [...facets.parentsOf(label)] };
      });
    return {
      total: facets.total,
      labels: presentLabels(facets.labels),
      labels_total: facets.labels.length,
      broader_labels: presentLabels(facets.broaderLabels),
      unlabeled: facets.unlabeled,
      tags: facets.tags.flatMap(({ id, count }) => {
        const name = state.tagNames.get(id);
        return name === undefined || !isSought(name) ? [] : [{ id, name, count }];
      }),
      untagged: facets.untagged,
      issues: [...facets.issues],
      outcomes: [...facets.outcomes],
      media_types: ENTITY_KINDS.map((kind) => ({ value: MEDIA_TYPES[kind], count: kinds[kind] })).filter(
        ({ count }) => count > 0,
      ),
      folders: facets.folders.slice(0, MOST_VALUES).map(({ folder, count }) => ({ value: folder, count })),
      folders_total: facets.folders.length,
      custom_metadata: facets.fields.map(presentField),
      ...presentApproximate(facets.recall),
    };
  }
}
