import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath, givenDescription, givenName } from '../../../common/platform/http/query-values';
import { MAX_SELECTION_BYTES, mediaSelection, searchBodyFields, toSearchQuery } from '../../search';
import { CopyMediaUseCase, RemoveMediaUseCase } from '../subset.use-cases';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import type { ChosenMedia } from '../chosen-rows';

const { entity_type, labels, tags, vql, duplicate_threshold } = searchBodyFields;

const chosenFields = {
  media_selection: mediaSelection.optional().describe('Media and clusters, as for tags.'),
  search: z
    .object({ entity_type, labels, tags, vql, duplicate_threshold })
    .transform(toSearchQuery)
    .optional()
    .describe('All media of the entity type that match these parameters of explore.'),
  decided_duplicates: z
    .boolean()
    .default(false)
    .describe('The media that current decisions about near duplicates remove.'),
};

type ChosenFields = z.output<z.ZodObject<typeof chosenFields>>;

const isAnythingChosen = ({ media_selection, search, decided_duplicates }: ChosenFields): boolean =>
  media_selection !== undefined || search !== undefined || decided_duplicates;
const CHOOSE = { error: 'Input should have media_selection, search or decided_duplicates' };

const chosenMedia = ({ media_selection, search, decided_duplicates }: ChosenFields): ChosenMedia => ({
  selection: media_selection,
  query: search,
  decided: decided_duplicates,
});

const exampleSelection = [{ type: 'media', payload: { media_ids: [EXAMPLE.media] } }];

const copyBody = z
  .object({
    ...chosenFields,
    keep: z
      .enum(['chosen', 'others'], { error: 'Input should be chosen or others' })
      .default('chosen')
      .describe('Whether the new dataset gets the chosen media, or all others.'),
    display_name: givenName.optional().describe('Default: `{display_name} (copy)`.'),
    description: givenDescription.optional().describe('Default: that of the dataset.'),
    with_views: z.boolean().default(false).describe('Whether to copy the saved views, without their results.'),
  })
  .refine(isAnythingChosen, CHOOSE)
  .meta({ example: { display_name: 'Harbour, cleaned', keep: 'others', media_selection: exampleSelection } });
type CopyBody = z.output<typeof copyBody>;

const removalBody = z
  .object(chosenFields)
  .refine(isAnythingChosen, CHOOSE)
  .meta({ example: { media_selection: exampleSelection } });
type RemovalBody = z.output<typeof removalBody>;

const copyResponse = z
  .object({ dataset_id: z.uuid(), task_id: z.uuid() })
  .meta({ id: 'StartedCopy', example: { dataset_id: EXAMPLE.otherDataset, task_id: EXAMPLE.task } });

const removalResponse = z
  .object({ task_id: z.uuid(), snapshot_id: z.uuid() })
  .meta({ id: 'StartedRemoval', example: { task_id: EXAMPLE.task, snapshot_id: EXAMPLE.snapshot } });

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Subsets')
@Controller('api/v1/dataset/:dataset_id')
export class SubsetController {
  constructor(
    private readonly copyMedia: CopyMediaUseCase,
    private readonly removeMedia: RemoveMediaUseCase,
  ) {}

  @Post('copy')
  @HttpCode(202)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @ApiOperation({
    summary: 'Make a new dataset of some of the media',
    description:
      'Of the chosen media, or of all others. Media keep their ids, and share their files with this dataset, which is ' +
      'READ ONLY until the task ends. Objects and frames go with the media that they are parts of.',
  })
  @ApiAcceptedResponse({ standardSchema: copyResponse })
  @MayFail(400, 404, 409)
  async copy(
    @Param({ schema: datasetPath }) path: DatasetPath,
    @Body({ schema: copyBody }) body: CopyBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof copyResponse>> {
    const { taskId, result } = await this.copyMedia.start(
      path.dataset_id,
      {
        chosen: chosenMedia(body),
        keeping: body.keep,
        displayName: body.display_name,
        description: body.description,
        withViews: body.with_views,
      },
      principal,
    );
    return { dataset_id: result, task_id: taskId };
  }

  @Post('remove_media')
  @HttpCode(202)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @ApiOperation({
    summary: 'Remove media from a dataset',
    description:
      'A snapshot is taken first, which brings them back. The dataset is READ ONLY until the task ends. No file is ' +
      'deleted, and a synchronisation with the source leaves removed files out as long as they do not change.',
  })
  @ApiAcceptedResponse({ standardSchema: removalResponse })
  @MayFail(400, 404, 409)
  async remove(
    @Param({ schema: datasetPath }) path: DatasetPath,
    @Body({ schema: removalBody }) body: RemovalBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof removalResponse>> {
    const { taskId, result } = await this.removeMedia.start(path.dataset_id, chosenMedia(body), principal);
    return { task_id: taskId, snapshot_id: result };
  }
}
