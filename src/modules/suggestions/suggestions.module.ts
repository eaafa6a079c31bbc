import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnnotationsModule } from '../annotations';
import { DatasetsModule } from '../datasets';
import { SearchModule } from '../search';
import { VersionsModule } from '../versions';
import { DecideLabelsUseCase } from './decide-labels.use-case';
import { SuggestionController } from './http/suggestion.controller';
import { LabelSuggestions } from './label-suggestions';
import { KeptLabelRepository } from './persistence/kept-label.repository';
import { suggestionsPersistence } from './persistence/schema';

@Module({
  imports: [
    TypeOrmModule.forFeature(suggestionsPersistence.entities),
    AnnotationsModule,
    DatasetsModule,
    SearchModule,
    VersionsModule,
  ],
  controllers: [SuggestionController],
  providers: [KeptLabelRepository, LabelSuggestions, DecideLabelsUseCase],
})
export class SuggestionsModule {}
