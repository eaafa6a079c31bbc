import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath, uuid } from '../../../../common/platform/http/query-values';
import { PublishedStateReader } from '../../../versions';
import { MediaService } from '../media.service';
import { customMetadata, presentMetadata } from './values.presenter';

const imagePath = datasetPath.extend({
  image_id: uuid
    .transform((id) => id.toLowerCase())
    .meta({ description: 'The image, frame or object.', example: EXAMPLE.media }),
});
const imageMetadata = customMetadata.meta({
  example: [{ field_name: 'site', field_type: 'string', value: 'north harbour' }],
});

@ApiTags('Annotations')
@Controller('api/v1/datasets')
export class ImageMetadataController {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly media: MediaService,
  ) {}

  @Get(':dataset_id/image/:image_id/custom_metadata')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The fields of your own of an image' })
  @ApiOkResponse({ standardSchema: imageMetadata })
  @MayFail(409)
  async of(
    @Param({ schema: imagePath }) { dataset_id: datasetId, image_id: imageId }: z.output<typeof imagePath>,
  ): Promise<z.infer<typeof imageMetadata>> {
    return presentMetadata(await this.media.customMetadata(await this.states.get(datasetId), imageId));
  }
}
