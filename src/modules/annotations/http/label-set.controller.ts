import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { LabelSets } from '../label-sets';
import { givenLabelSet, labelSetBody, labelSetResponse, presentLabelSet, type LabelSetBody } from './label-set.schemas';

const MAX_BYTES = 1024 * 1024;

@ApiTags('Annotations')
@Controller('api/v1')
export class LabelSetController {
  constructor(private readonly sets: LabelSets) {}

  @Get('dataset/:dataset_id/label_set')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The labels that people give in a dataset' })
  @ApiOkResponse({ standardSchema: labelSetResponse })
  async get(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
  ): Promise<z.infer<typeof labelSetResponse>> {
    return presentLabelSet(await this.sets.of(datasetId));
  }

  @Put('dataset/:dataset_id/label_set')
  @DatasetAccess('own')
  @MaxBodyBytes(MAX_BYTES)
  @ApiOperation({
    summary: 'Replace the labels that people give in a dataset',
    description:
      'With colours, keys and attributes. If the set is closed, edits of `ground_truth` are refused that give another label, or an attribute that the ' +
      'label does not have or with another value; what is there stays, and files, undos and other sources may have any.',
  })
  @ApiOkResponse({ standardSchema: labelSetResponse })
  async replace(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Body({ schema: labelSetBody }) body: LabelSetBody,
    @CurrentPrincipal() caller: Principal,
  ): Promise<z.infer<typeof labelSetResponse>> {
    const set = givenLabelSet(body);
    await this.sets.replace(datasetId, set, caller);
    return presentLabelSet(set);
  }
}
