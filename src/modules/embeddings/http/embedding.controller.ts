import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { receiveForm } from '../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { parseOrFail } from '../../../common/platform/http/zod-validation.pipe';
import type { EmbeddingUpload } from '../domain/embedding-upload';
import type { ReceivedVectors } from '../received-vectors';
import { UploadEmbeddingsUseCase } from '../upload-embeddings.use-case';
import { embeddingForm, embeddingFormDescription, embeddingResponse } from './embedding.schemas';

@ApiTags('Embeddings')
@Controller('api/v1')
export class EmbeddingController {
  constructor(private readonly embeddings: UploadEmbeddingsUseCase) {}

  @Post('dataset/:dataset_id/embeddings')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('upload')
  @ApiOperation({
    summary: 'Replace the image vectors of a dataset by vectors of your own',
    description:
      'The dataset is READ ONLY meanwhile; when the task is COMPLETED, media are compared and clustered by the vectors. A medium without ' +
      'a vector, a name that repeats, or a vector without a direction fails the task. Afterwards media are searched by media of the ' +
      'dataset only: uploaded pictures and new media need a model of IMAGE_ENCODING.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: embeddingFormDescription })
  @ApiAcceptedResponse({ standardSchema: embeddingResponse })
  @MayFail(400, 409, 413, 422)
  async upload(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof embeddingResponse>> {
    await this.embeddings.assertPossible(datasetId);
    const received = this.embeddings.open();
    const upload = await this.receive(request, response, received);
    return { task_id: await this.embeddings.start(datasetId, received.taskId, upload, caller) };
  }

  private async receive(request: Request, response: Response, received: ReceivedVectors): Promise<EmbeddingUpload> {
    try {
      const form = parseOrFail(embeddingForm, await receiveForm(request, response, received), 'body');
      const { id, ladder = null, named_by: naming = 'file_name', allow_missing: allowMissing = false } = form;
      return { id, ladder, allowMissing, ...received.files(naming) };
    } catch (error) {
      await received.discard();
      throw error;
    }
  }
}
