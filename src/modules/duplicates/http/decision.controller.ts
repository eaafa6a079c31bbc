import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { MEDIA_URLS, type MediaUrls } from '../../search';
import { PublishedStateReader } from '../../versions';
import { CarryAnnotationsUseCase } from '../carry-annotations.use-case';
import { DecideGroupsUseCase } from '../decide-groups.use-case';
import { DecisionListReader } from '../decision-list.reader';
import type { RecordedDecisions } from '../record-decisions';
import { UndoDecisionsUseCase } from '../undo-decisions.use-case';
import {
  memberPresenter,
  presentDecision,
  carriedResult,
  datasetPath,
  decisionsResult,
  pageQuery,
  recordedResult,
  undoneResult,
  undoQuery,
  type DatasetPath,
  type PageQuery,
} from './duplicate.schemas';
import {
  decisionsBody,
  MAX_DECISION_BYTES,
  ruleBody,
  type DecisionsBody,
  type RuleBody,
} from './duplicate-selection.schemas';

const presentRecorded = ({ batchId, ...counts }: RecordedDecisions): z.infer<typeof recordedResult> => ({
  batch_id: batchId,
  ...counts,
});

@ApiTags('Duplicates')
@Controller('api/v1/dataset/:dataset_id/duplicates')
export class DecisionController {
  constructor(
    private readonly list: DecisionListReader,
    private readonly decide: DecideGroupsUseCase,
    private readonly undoDecisions: UndoDecisionsUseCase,
    private readonly carryAnnotations: CarryAnnotationsUseCase,
    private readonly states: PublishedStateReader,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get('decisions')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The decisions about groups of near duplicates, newest first, in pages' })
  @ApiOkResponse({ standardSchema: decisionsResult })
  async page(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: pageQuery }) { page_number: page, limit }: PageQuery,
  ): Promise<z.infer<typeof decisionsResult>> {
    const state = await this.states.get(datasetId);
    const found = await this.list.page(state, { page, limit });
    const present = await memberPresenter(
      found.shown.map(({ members }) => members),
      this.urls,
      state.tagNames,
    );
    return {
      total: found.total,
      decisions: found.shown.map((each) => presentDecision(each, present)),
      total_pages: Math.ceil(found.total / limit),
      current_page: page,
    };
  }

  @Post('decisions')
  @HttpCode(200)
  @MaxBodyBytes(MAX_DECISION_BYTES)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Decide which media of groups are kept and which are removed',
    description:
      'Decisions are about media, so they remain after a reindex. No file is deleted: removed media can be tagged, and are ' +
      'listed as CSV.',
  })
  @ApiOkResponse({ standardSchema: recordedResult })
  async decideAsGiven(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: decisionsBody }) { decisions, options }: DecisionsBody,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof recordedResult>> {
    return presentRecorded(await this.decide.asGiven(datasetId, decisions, options, by));
  }

  @Post('decisions/by_rule')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Decide all open groups that match, or one of them, by a rule',
    description:
      'Groups whose members may be different pictures (`doubt`) are left open, unless `include_doubtful` or `group_id` ' +
      'asks for them.',
  })
  @ApiOkResponse({ standardSchema: recordedResult })
  @MayFail(404, 409)
  async decideByRule(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: ruleBody }) { asked, rule, options }: RuleBody,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof recordedResult>> {
    return presentRecorded(await this.decide.byRule(datasetId, asked, rule, options, by));
  }

  @Delete('decisions')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Undo a decision, or all that were made together',
    description:
      'The groups are open again, and the media lose the tag that they got. Tags, labels and captions that were ' +
      'carried to media that stay remain there.',
  })
  @ApiOkResponse({ standardSchema: undoneResult })
  async undo(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: undoQuery }) choice: z.output<typeof undoQuery>,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof undoneResult>> {
    return { count: await this.undoDecisions.undo(datasetId, choice, by) };
  }

  @Post('carry_annotations')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Copy labels and captions of removed media to the kept ones',
    description:
      'Copies labels and captions of people that the kept media lack, by all current decisions, as one task. The dataset is ' +
      'READ ONLY meanwhile.',
  })
  @ApiAcceptedResponse({ standardSchema: carriedResult })
  async carry(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof carriedResult>> {
    const { taskId, media, hasMore } = await this.carryAnnotations.start(datasetId, by);
    return { task_id: taskId, media, has_more: hasMore };
  }
}
