import type { Provider, Type } from '@nestjs/common';
import { SelectionResolver } from '../selection/selection-resolver';
import { AssignTagUseCase, DeleteTagUseCase } from './assign-tag.use-case';
import { AssignmentChanges } from './assignment-changes';
import { TagController } from './http/tag.controller';
import { NameTagUseCase } from './name-tag.use-case';
import { TagReader } from './tag.reader';

export const TAGS_CONTROLLERS: Type[] = [TagController];

export const TAGS_PROVIDERS: Provider[] = [
  TagReader,
  SelectionResolver,
  AssignmentChanges,
  NameTagUseCase,
  AssignTagUseCase,
  DeleteTagUseCase,
];
