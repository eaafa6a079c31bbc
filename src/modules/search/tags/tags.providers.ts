import type { Provider, Type } from '@nestjs/common';
import { CONFIGURATION } from '../../../common/platform/config/configuration';
import { bytesFor, type ExploreMemory } from '../memory-shares';
import { SelectionResolver } from '../selection/selection-resolver';
import { AssignTagUseCase } from './assign-tag.use-case';
import { AssignmentChanges } from './assignment-changes';
import { CarriedTags } from './carried-tags';
import { DeleteTagUseCase } from './delete-tag.use-case';
import { TagController } from './http/tag.controller';
import { NameTagUseCase } from './name-tag.use-case';
import { TagFileRepository } from './persistence/tag-file.repository';
import { TagRepository } from './persistence/tag.repository';
import { TagAssignmentsCache } from './tag-assignments-cache';
import { TagFileSweep } from './tag-file.sweep';
import { TagFiles } from './tag-files';
import { TagNames } from './tag-names';
import { TagReader } from './tag.reader';

export const TAGS_CONTROLLERS: Type[] = [TagController];

export const TAGS_PROVIDERS: Provider[] = [
  TagRepository,
  TagFileRepository,
  TagFiles,
  {
    provide: TagAssignmentsCache,
    inject: [TagFiles, CONFIGURATION],
    useFactory: (files: TagFiles, memory: ExploreMemory) => new TagAssignmentsCache(files, bytesFor('tags', memory)),
  },
  TagReader,
  TagNames,
  SelectionResolver,
  AssignmentChanges,
  CarriedTags,
  NameTagUseCase,
  AssignTagUseCase,
  DeleteTagUseCase,
  TagFileSweep,
];
