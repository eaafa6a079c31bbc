import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EvaluationChanges } from './evaluation-changes';
import { EvaluationRepository } from './persistence/evaluation.repository';
import { evaluationPersistence } from './persistence/schema';

@Module({
  imports: [TypeOrmModule.forFeature(evaluationPersistence.entities)],
  providers: [EvaluationRepository, EvaluationChanges],
  exports: [EvaluationRepository, EvaluationChanges],
})
export class EvaluationRecordsModule {}
