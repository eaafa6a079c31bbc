import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { ImportMetadataUseCase } from '../import-metadata.use-case';
import {
  fieldBody,
  fieldOf,
  metadataSchema,
  metadataTask,
  metadataTaskPath,
  metadataTaskStatus,
  valuesBody,
} from './custom-metadata.schemas';
import { GatheredBytes } from '../../../common/platform/bytes/gathered-bytes';
import { parseForm } from '../../../common/platform/http/parse-form';
import { parseJson, readJson } from '../../../common/platform/http/json-body.interceptor';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { MAX_IMPORTED_ROWS } from '../domain/metadata-import';

const MAX_BYTES = 16 * 1024 * 1024;
/** Each row is an object, and its value may be a list. */
const MAX_CONTAINERS = 2 * MAX_IMPORTED_ROWS + 1;
const FIELD = 'file';

const failed = (type: string, loc: readonly string[], msg: string, input: unknown = null): ValidationFailedError =>
  new ValidationFailedError([{ type, loc, msg, input }]);

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

type TaskPath = z.output<typeof metadataTaskPath>;

@ApiTags('Annotations')
@Controller('api/v1/datasets/:dataset_id/custom_metadata')
export class CustomMetadataController {
  constructor(private readonly imports: ImportMetadataUseCase) {}

  @Get('schema')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The fields of your own that a dataset has' })
  @ApiOkResponse({ standardSchema: metadataSchema })
  async schema(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
  ): Promise<z.infer<typeof metadataSchema>> {
    const fields = await this.imports.fieldsOf(datasetId);
    return fields.map(({ name, type, enumOptions, isMulti }) => ({
      field_name: name,
      field_type: type,
      enum_options: enumOptions && [...enumOptions],
      is_multi: isMulti,
    }));
  }

  @Post('tasks')
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Declare a field of your own',
    description:
      'Its values are sent to the task that this returns. A field keeps its type in all versions of the dataset. ' +
      'Fields need not be declared: annotations declare those that they name first.',
  })
  @ApiOkResponse({ standardSchema: metadataTask })
  @MayFail(409)
  async declare(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: fieldBody }) body: z.output<typeof fieldBody>,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof metadataTask>> {
    return { task_id: await this.imports.declare(datasetId, fieldOf(body), caller), status: 'INIT' };
  }

  @Post('tasks/:task_id')
  @HttpCode(202)
  @DatasetAccess('write')
  @RateLimited('upload')
  @ApiOperation({
    summary: 'Send the values of a field that was declared',
    description:
      'A list of rows, as the body or in the file `file` of a form (`multipart/form-data`). Rows with a mistake fail alone; the status of the task names the ' +
      'first of them. The dataset is READ ONLY meanwhile.',
  })
  @ApiBody(valuesBody)
  @ApiAcceptedResponse({ standardSchema: metadataTask })
  @MayFail(400, 409)
  async send(
    @Param({ schema: metadataTaskPath }) { dataset_id: datasetId, task_id: taskId }: TaskPath,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof metadataTask>> {
    await this.imports.assertPossible(datasetId, taskId);
    await this.imports.send(datasetId, taskId, await receiveRows(request, response), caller);
    return { task_id: taskId, status: 'RUNNING' };
  }

  @Get('tasks/:task_id/status')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'How far the values of a field are taken, and which rows failed' })
  @ApiOkResponse({ standardSchema: metadataTaskStatus })
  async status(
    @Param({ schema: metadataTaskPath }) { dataset_id: datasetId, task_id: taskId }: TaskPath,
  ): Promise<z.infer<typeof metadataTaskStatus>> {
    const found = await this.imports.progress(datasetId, taskId);
    return {
      task_id: found.id,
      status: found.status,
      progress: found.progress,
      inserted_rows: found.insertedRows,
      error_count: found.errorCount,
      sample_errors: found.sampleErrors.map(({ reason, row }) => ({ reason, row_index: row })),
    };
  }
}

/** The rows of values: the body itself, or a file of a form. */
async function receiveRows(request: Request, response: Response): Promise<readonly unknown[]> {
  const rows: unknown = request.is('multipart/form-data')
    ? parseJson(await fileOf(request, response), MAX_CONTAINERS)
    : await readJson(request, response, MAX_BYTES, MAX_CONTAINERS);
  if (!isList(rows)) throw failed('invalid_type', ['body'], 'Input should be a list of rows');
  if (rows.length > MAX_IMPORTED_ROWS)
    throw failed('too_big', ['body'], `Input should have at most ${MAX_IMPORTED_ROWS} rows`);
  return rows;
}

async function fileOf(request: Request, response: Response): Promise<Buffer> {
  let gathered: GatheredBytes | undefined;
  await parseForm(request, response, {
    maxFiles: 1,
    maxBytes: MAX_BYTES,
    accept: ({ field }) => {
      if (field !== FIELD)
        throw failed('unexpected', ['body', field], `The file goes into the form field '${FIELD}'`, field);
    },
    take: async ({ stream }) => {
      gathered = new GatheredBytes();
      for await (const part of stream as AsyncIterable<Buffer>) gathered.add(part);
    },
  });
  if (gathered === undefined) throw failed('missing', ['body', FIELD], `Field required: the file goes into '${FIELD}'`);
  return gathered.whole();
}
