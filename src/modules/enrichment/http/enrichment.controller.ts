import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ChangesState, DatasetAccess } from '../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { datasetPath } from '../../../common/platform/http/query-values';
import type { AppliedModels } from '../../datasets';
import { AbortEnrichmentUseCase, EnrichDatasetUseCase } from '../enrich-dataset.use-case';
import { EnrichmentStatusReader } from '../enrichment-status.reader';
import { FindingsReader, type Findings, type FoundIn } from '../findings.reader';
import { ModelList } from '../model-list';
import {
  EnrichmentPreviews,
  type CaptionedObject,
  type PreviewedMedia,
  type PreviewedResult,
} from '../preview-enrichment.service';
import {
  abortResponse,
  contextPath,
  contextResponse,
  enrichedResponse,
  enrichmentBody,
  findingsQuery,
  findingsResponse,
  enrichQuery,
  modelsResponse,
  previewsResponse,
  statusResponse,
} from './enrichment.schemas';

type PresentedPreview = z.infer<typeof previewsResponse>['previews'][number];

const presentPreview = ({ row, thumbnail, results }: PreviewedMedia): PresentedPreview => ({
  media_id: row.id,
  file_name: row.fileName,
  media_thumb_uri: thumbnail,
  results: Object.fromEntries(results.map((each) => [each.model.type, presentResult(each)])),
});

type PresentedFindings = Omit<z.infer<typeof findingsResponse>, 'limit' | 'offset'>;

const presentFoundIn = ({ model, count, ids }: FoundIn) => ({ model_id: model, count, media_ids: [...ids] });

const presentFindings = ({ media, captions, labels, objects, text }: Findings): PresentedFindings => ({
  n_media: media,
  captions: presentFoundIn(captions),
  labels: presentFoundIn(labels),
  objects: { ...presentFoundIn(objects), n_objects: objects.objects },
  text: presentFoundIn(text),
});

type DatasetPath = z.output<typeof datasetPath>;
type ContextPath = z.output<typeof contextPath>;

@ApiTags('Enrichment')
@Controller('api/v1')
export class EnrichmentController {
  constructor(
    private readonly models: ModelList,
    private readonly reader: EnrichmentStatusReader,
    private readonly results: FindingsReader,
    private readonly enrich: EnrichDatasetUseCase,
    private readonly previews: EnrichmentPreviews,
    private readonly abortEnrichment: AbortEnrichmentUseCase,
  ) {}

  @Get('enrichment/:dataset_id/list_models')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The models that can be applied, and those that are not available yet' })
  @ApiOkResponse({ standardSchema: modelsResponse })
  async list(
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- only checked, like the path of every other route of a dataset
    @Param({ schema: datasetPath }) _path: DatasetPath,
  ): Promise<z.infer<typeof modelsResponse>> {
    const models = await this.models.list();
    return models.map(({ dependencies, ...model }) => ({
      ...model,
      dependencies: dependencies === null ? null : [...dependencies],
    }));
  }

  @Get('enrichment/:dataset_id/context')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The models that are applied to a dataset' })
  @ApiOkResponse({ standardSchema: contextResponse })
  async context(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
  ): Promise<z.infer<typeof contextResponse>> {
    const { id, status, applied } = await this.reader.context(datasetId);
    const models = Object.fromEntries(Object.entries(applied).map(([type, model]) => [type, model.id]));
    return { enrichment_context_id: id, status, dataset_enrichment_models: { enrichment_models: models } };
  }

  @Get('enrichment/:dataset_id/findings')
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'Which images and frames models found something in',
    description: 'The findings are in `GET /api/v1/dataset/{dataset_id}/media`, with `with_objects` and `with_text`.',
  })
  @ApiOkResponse({ standardSchema: findingsResponse })
  async findings(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: findingsQuery }) page: z.output<typeof findingsQuery>,
  ): Promise<z.infer<typeof findingsResponse>> {
    return { ...presentFindings(await this.results.of(datasetId, page)), ...page };
  }

  @Post('dataset/:dataset_id/enrich_dataset')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Apply models to a copy of a dataset',
    description:
      'The dataset is READ ONLY meanwhile and is not changed. Poll the copy until it is READY. With `in_place=true` a snapshot is made, ' +
      'the results are written to the dataset itself, and its own id is returned.',
  })
  @ApiOkResponse({ standardSchema: enrichedResponse })
  async start(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: enrichQuery }) { in_place: isInPlace }: z.output<typeof enrichQuery>,
    @Body({ schema: enrichmentBody }) body: z.output<typeof enrichmentBody>,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof enrichedResponse>> {
    const models = requestedModels(body);
    return { dataset_id: await this.enrich.start({ datasetId, models, isInPlace }, caller) };
  }

  @Get('enrichment/:dataset_id/:enrichment_context_id/status')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The progress of the last enrichment' })
  @ApiOkResponse({ standardSchema: statusResponse })
  async status(@Param({ schema: contextPath }) path: ContextPath): Promise<z.infer<typeof statusResponse>> {
    const { id, status, progress, targetId, errorMessage, models } = await this.reader.status(
      path.dataset_id,
      path.enrichment_context_id,
    );
    return {
      enrichment_context_id: id,
      status,
      progress,
      dataset_id: targetId,
      error_message: errorMessage,
      models: [...models],
    };
  }

  @Post('enrichment/:dataset_id/:enrichment_context_id/previews_enrichment_result')
  @HttpCode(200)
  @ChangesState(false)
  @DatasetAccess('write')
  @RateLimited('search')
  @ApiOperation({
    summary: 'Try models on a few media',
    description: 'Nothing of the dataset is changed. Requires the setting ENRICHMENT_PREVIEW_SERVICE_ENABLED.',
  })
  @ApiOkResponse({ standardSchema: previewsResponse })
  async preview(
    @Param({ schema: contextPath }) path: ContextPath,
    @Body({ schema: enrichmentBody }) body: z.output<typeof enrichmentBody>,
    @CurrentPrincipal() { userId }: Principal,
  ): Promise<z.infer<typeof previewsResponse>> {
    const { dataset_id: datasetId, enrichment_context_id: contextId } = path;
    const previewed = await this.previews.preview(datasetId, contextId, requestedModels(body), userId);
    return { enrichment_context_id: contextId, previews: previewed.map(presentPreview) };
  }

  @Delete('enrichment/:dataset_id/:enrichment_context_id/abort')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Stop the running enrichment and delete its copy' })
  @ApiOkResponse({ standardSchema: abortResponse })
  async abort(@Param({ schema: contextPath }) path: ContextPath): Promise<z.infer<typeof abortResponse>> {
    const status = await this.abortEnrichment.abort(path.dataset_id, path.enrichment_context_id);
    return { enrichment_context_id: path.enrichment_context_id, status };
  }
}

const requestedModels = ({ enrichment_models: models }: z.output<typeof enrichmentBody>): AppliedModels =>
  Object.fromEntries(
    Object.entries(models).map(([type, model]) => [
      type,
      typeof model === 'string' ? { id: model, metadata: {} } : model,
    ]),
  );

function presentResult(previewed: PreviewedResult): PresentedPreview['results'][string] {
  const { id } = previewed.model;
  if ('captioned' in previewed) return { model_id: id, objects: previewed.captioned.map(presentCaptioned) };
  const { result } = previewed;
  if (result.kind === 'QUARANTINED') return { model_id: id, error: result.detail };
  const { found } = result;
  return {
    model_id: id,
    ...('caption' in found ? { caption: found.caption } : {}),
    ...('labels' in found ? { labels: [...found.labels] } : {}),
    ...('objects' in found
      ? { objects: found.objects.map(({ label, confidence, box }) => ({ label, bounding_box: box, confidence })) }
      : {}),
    ...('lines' in found ? { lines: found.lines.map(({ text, confidence }) => ({ text, confidence })) } : {}),
    ...('embedding' in found ? { dimension: found.embedding.length } : {}),
  };
}

function presentCaptioned({ label, box, result }: CaptionedObject) {
  const object = { label, bounding_box: box };
  if (result.kind === 'QUARANTINED') return { ...object, error: result.detail };
  return 'caption' in result.found ? { ...object, caption: result.found.caption } : object;
}
