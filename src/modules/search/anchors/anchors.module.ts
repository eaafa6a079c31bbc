import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatasetsModule } from '../../datasets';
import { SettingsModule } from '../../settings';
import { AnchorReader, AnchorSweep } from './anchor.reader';
import { CreateAnchorUseCase } from './create-anchor.use-case';
import { AnchorController } from './http/anchor.controller';
import { anchorsPersistence } from './persistence/schema';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';

@Module({
  imports: [TypeOrmModule.forFeature(anchorsPersistence.entities), SettingsModule, DatasetsModule],
  controllers: [AnchorController],
  providers: [SearchAnchorRepository, CreateAnchorUseCase, AnchorReader, AnchorSweep],
  exports: [AnchorReader],
})
export class AnchorsModule {}
