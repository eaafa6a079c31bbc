import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { MEDIA_URLS, presentPreview, readPreviews, rowsShown, type MediaUrls } from '../../search';
import { PublishedStateReader, VersionOpener } from '../../versions';
import { DecideLabelsUseCase, MOST_DECIDED, type DecidedLabels } from '../decide-labels.use-case';
import { isOfPair, pairsOf } from '../domain/label-suggestion';
import { LabelSuggestions } from '../label-suggestions';
import {
  aboveBody,
  aboveResult,
  datasetPath,
  decisionsBody,
  decisionsResult,
  MAX_DECISION_BYTES,
  mediaQuery,
  mediaResult,
  MOST_PAIRS,
  pairsQuery,
  pairsResult,
  undoBody,
  undoneResult,
  type AboveBody,
  type DatasetPath,
  type DecisionsBody,
  type MediaQuery,
  type PairsQuery,
  type UndoBody,
} from './suggestion.schemas';

const UNRANKED = { relevance_score: null, relevance_score_type: null };
/** The decisions, and what they are in. */
const CONTAINERS = MOST_DECIDED + 3;

const presentDecided = ({
  decisionId,
  takenOver,
  kept,
  unmatched,
}: DecidedLabels): z.infer<typeof decisionsResult> => ({
  decision_id: decisionId ?? null,
  n_taken_over: takenOver,
  n_kept: kept,
  unmatched: [...unmatched],
});

@ApiTags('Label suggestions')
@Controller('api/v1/dataset/:dataset_id/label_suggestions')
export class SuggestionController {
  constructor(
    private readonly suggestions: LabelSuggestions,
    private readonly decisions: DecideLabelsUseCase,
    private readonly states: PublishedStateReader,
    private readonly versions: VersionOpener,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get()
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Pairs of a label and the one that similar media have instead, with their counts',
    description: 'Labels are judged when a dataset is indexed. What people decided since is left out.',
  })
  @ApiOkResponse({ standardSchema: pairsResult })
  async pairs(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: pairsQuery }) { entity_type: entityType, confidence: least }: PairsQuery,
  ): Promise<z.infer<typeof pairsResult>> {
    const { pointer } = await this.states.get(datasetId);
    if (pointer === null) return { total: 0, total_pairs: 0, several_labels: 0, pairs: [] };
    using version = await this.versions.openToBrowse(pointer);
    const { suggestions, several } = await this.suggestions.of(datasetId, version, { entityType, least });
    const pairs = pairsOf(suggestions);
    return {
      total: suggestions.length,
      total_pairs: pairs.length,
      several_labels: several,
      pairs: pairs
        .slice(0, MOST_PAIRS)
        .map(({ label, suggested, count, highest }) => ({ label, suggested, count, highest_confidence: highest })),
    };
  }

  @Get('media')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'Media with labels that look wrong, the most confident first, in pages' })
  @ApiOkResponse({ standardSchema: mediaResult })
  async media(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: mediaQuery }) { entity_type: entityType, confidence: least, ...asked }: MediaQuery,
  ): Promise<z.infer<typeof mediaResult>> {
    const { page_number: page, limit, ...pair } = asked;
    const { pointer, tagNames } = await this.states.get(datasetId);
    if (pointer === null) return { total: 0, total_pages: 0, current_page: page, media: [] };
    using version = await this.versions.openToBrowse(pointer);
    const { suggestions } = await this.suggestions.of(datasetId, version, { entityType, least });
    const found = suggestions.filter((each) => isOfPair(each, pair));
    const shown = found.slice(page * limit, (page + 1) * limit);
    const [previews] = await readPreviews(version, [shown.map(({ row }) => ({ ordinal: row, score: null }))]);
    const addresses = await this.urls.of(rowsShown(previews!));
    return {
      total: found.length,
      total_pages: Math.ceil(found.length / limit),
      current_page: page,
      media: previews!.map((preview, at) => ({
        ...presentPreview(preview, UNRANKED, addresses, tagNames),
        label_now: shown[at]!.label,
        suggested: shown[at]!.suggested,
        confidence: shown[at]!.confidence,
      })),
    };
  }

  @Post('decisions')
  @HttpCode(200)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_DECISION_BYTES, CONTAINERS)
  @ApiOperation({
    summary: 'Take over suggested labels, or keep labels that look wrong',
    description:
      'A label that is taken over is changed in what people say, at once. All of a request is done, or nothing.',
  })
  @ApiOkResponse({ standardSchema: decisionsResult })
  @MayFail(409)
  async decide(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: decisionsBody }) { take_over: takeOver, keep }: DecisionsBody,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof decisionsResult>> {
    const decisions = { takeOver: takeOver.map(seenBy), keep: keep.map(seenBy) };
    return presentDecided(await this.decisions.decide(datasetId, decisions, by));
  }

  @Post('decisions/by_confidence')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Take over all suggestions with at least a confidence' })
  @ApiOkResponse({ standardSchema: aboveResult })
  @MayFail(409)
  async takeOverAbove(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: aboveBody }) { entity_type: entityType, confidence: least, ...pair }: AboveBody,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof aboveResult>> {
    const decided = await this.decisions.takeOverAbove(datasetId, { entityType, least, ...pair }, by);
    return { ...presentDecided(decided), has_more: decided.hasMore };
  }

  @Post('undo')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Undo a decision about labels',
    description: 'Labels become what they were, unless they were changed again since (409).',
  })
  @ApiOkResponse({ standardSchema: undoneResult })
  @MayFail(404, 409)
  async undo(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Body({ schema: undoBody }) { decision_id: decisionId }: UndoBody,
    @CurrentPrincipal() by: Principal,
  ): Promise<z.infer<typeof undoneResult>> {
    return { count: await this.decisions.undo(datasetId, decisionId, by) };
  }
}

const seenBy = ({ media_id: mediaId, label, suggested }: DecisionsBody['keep'][number]) => ({
  mediaId,
  label,
  suggested,
});
