import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { MaxBodyBytes } from '../../../../common/platform/http/json-body.interceptor';
import { datasetPath, givenName, uuid } from '../../../../common/platform/http/query-values';
import { type CountedTag, TagReader } from '../tag.reader';
import { MAX_SELECTION_BYTES, mediaSelection } from '../../selection/http/media-selection.schema';
import { AssignTagUseCase, DeleteTagUseCase } from '../assign-tag.use-case';
import { NameTagUseCase } from '../name-tag.use-case';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';

const tagPath = datasetPath.extend({
  tag_id: uuid.transform((id) => id.toLowerCase()).meta({ description: 'The tag.', example: EXAMPLE.tag }),
});
type TagPath = z.output<typeof tagPath>;

export const tagBody = z.object({ name: givenName }).meta({ example: { name: 'Checked' } });
const tagRenameBody = tagBody.meta({ example: { name: 'Checked twice' } });
type TagBody = z.output<typeof tagBody>;

const selectionBody = z.object({ media_selection: mediaSelection });
type SelectionBody = z.output<typeof selectionBody>;

const tagResponse = z
  .object({ id: z.uuid(), name: z.string(), n_items: z.int() })
  .meta({ id: 'Tag', example: { id: EXAMPLE.tag, name: 'Checked', n_items: 12 } });
type TagResponse = z.infer<typeof tagResponse>;

const tagsResponse = z.object({ tags: z.array(tagResponse) });
const countResponse = z.object({ count: z.int() }).meta({ example: { count: 13 } });

type DatasetPath = z.infer<typeof datasetPath>;
type CountResponse = z.infer<typeof countResponse>;

const present = ({ id, name, items }: CountedTag): TagResponse => ({ id, name, n_items: items });

@ApiTags('Tags')
@Controller('api/v1/dataset/:dataset_id/tags')
export class TagController {
  constructor(
    private readonly tags: TagReader,
    private readonly nameTag: NameTagUseCase,
    private readonly assignTag: AssignTagUseCase,
    private readonly deleteTag: DeleteTagUseCase,
  ) {}

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The tags of a dataset, with the number of items of each' })
  @ApiOkResponse({ standardSchema: tagsResponse })
  async list(@Param({ schema: datasetPath }) path: DatasetPath): Promise<z.infer<typeof tagsResponse>> {
    return { tags: (await this.tags.list(path.dataset_id)).map(present) };
  }

  @Post()
  @HttpCode(200)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Create a tag' })
  @ApiOkResponse({ standardSchema: tagResponse })
  async create(
    @Param({ schema: datasetPath }) path: DatasetPath,
    @Body({ schema: tagBody }) body: TagBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<TagResponse> {
    const { id, name } = await this.nameTag.create(path.dataset_id, body.name, principal.userId);
    return present({ id, name, items: 0 });
  }

  @Patch(':tag_id')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Rename a tag' })
  @ApiOkResponse({ standardSchema: tagResponse })
  async rename(
    @Param({ schema: tagPath }) path: TagPath,
    @Body({ schema: tagRenameBody }) body: TagBody,
  ): Promise<TagResponse> {
    await this.nameTag.rename(path.dataset_id, path.tag_id, body.name);
    return present(await this.tags.get(path.dataset_id, path.tag_id));
  }

  @Delete(':tag_id')
  @HttpCode(204)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Delete a tag and remove it from all items' })
  delete(@Param({ schema: tagPath }) path: TagPath): Promise<void> {
    return this.deleteTag.delete(path.dataset_id, path.tag_id);
  }

  @Post(':tag_id/assign')
  @HttpCode(200)
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Assign a tag to the selected items',
    description: '`count` is the number of selected items that did not have the tag before.',
  })
  @ApiOkResponse({ standardSchema: countResponse })
  async assign(
    @Param({ schema: tagPath }) path: TagPath,
    @Body({ schema: selectionBody }) body: SelectionBody,
  ): Promise<CountResponse> {
    return { count: await this.assignTag.run('assign_tag', path.dataset_id, path.tag_id, body.media_selection) };
  }

  @Post(':tag_id/unassign')
  @HttpCode(200)
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @DatasetAccess('write')
  @ApiOperation({
    summary: 'Remove a tag from the selected items',
    description: '`count` is the number of selected items that had the tag before.',
  })
  @ApiOkResponse({ standardSchema: countResponse })
  async unassign(
    @Param({ schema: tagPath }) path: TagPath,
    @Body({ schema: selectionBody }) body: SelectionBody,
  ): Promise<CountResponse> {
    return { count: await this.assignTag.run('unassign_tag', path.dataset_id, path.tag_id, body.media_selection) };
  }
}
