import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../datasets';
import { SettingsModule } from '../../settings';
import { AnchorReader } from './anchor.reader';
import { AnchorSweep } from './anchor.sweep';
import { CreateAnchorUseCase } from './create-anchor.use-case';
import { AnchorController } from './http/anchor.controller';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';

@Module({
  imports: [SettingsModule, DatasetsModule],
  controllers: [AnchorController],
  providers: [SearchAnchorRepository, CreateAnchorUseCase, AnchorReader, AnchorSweep],
  exports: [AnchorReader],
})
export class AnchorsModule {}
