import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags, type ApiBodyOptions } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { receiveForm } from '../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath, booleanText } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { parseOrFail } from '../../../common/platform/http/zod-validation.pipe';
import { type EmbeddingUpload, NAMINGS } from '../domain/embedding-upload';
import { type ReceivedVectors, UploadEmbeddingsUseCase } from '../upload-embeddings.use-case';
import { ladderSchema, MODEL_ID } from '../../../common/engine/models/model-manifest';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';

/** Forms send omitted fields as empty texts. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const ladder = z
  .string()
  .transform((text) => text.split(',').map(Number))
  .refine((cosines) => ladderSchema.safeParse(cosines).success, {
    error: 'Input should be five cosines from -1 to 1, separated by commas, none larger than the one before',
  })
  .transform((cosines) => ladderSchema.parse(cosines));

const file = z.never({ error: 'Input should be a file' }).optional();

export const embeddingForm = z.object({
  id: z.string({ error: 'Field required' }).regex(MODEL_ID, {
    error: 'Input should begin with a-z or 0-9 and have at most 100 characters of a-z, 0-9, dot, dash and underscore',
  }),
  named_by: optional(z.enum(NAMINGS, { error: `Input should be ${NAMINGS.join(' or ')}` })),
  ladder: optional(ladder),
  allow_missing: optional(booleanText),
  vectors: file,
  names: file,
});

const embeddingFormDescription: Extract<ApiBodyOptions, { schema: unknown }>['schema'] = {
  type: 'object',
  required: ['id', 'vectors'],
  properties: {
    id: {
      type: 'string',
      pattern: MODEL_ID.source,
      description: 'The name of the vectors, such as that of the model that computed them.',
    },
    vectors: {
      type: 'string',
      format: 'binary',
      description:
        'A .npy file with an array (media, numbers) of float16, float32 or float64; or a .parquet file with a column `embedding` or ' +
        '`vector`, and `media_id`, `file_path` or `file_name`.',
    },
    names: {
      type: 'string',
      format: 'binary',
      description: 'For a .npy file: UTF-8 text with the name of each row on a line of its own.',
    },
    named_by: { type: 'string', enum: [...NAMINGS], default: 'file_name', description: 'The contents of `names`.' },
    ladder: {
      type: 'string',
      example: '0.9,0.8,0.73,0.66,0.58',
      description:
        'The five cosines at which media join into clusters, from the finest level; default: by the vectors.',
    },
    allow_missing: {
      type: 'boolean',
      default: false,
      description: 'Whether media may have no vector, and are then like no other.',
    },
  },
};

const embeddingResponse = z.object({ task_id: z.uuid() }).meta({ example: { task_id: EXAMPLE.task } });

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
