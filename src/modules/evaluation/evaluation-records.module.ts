import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EvaluationRepository } from './persistence/evaluation.repository';
import { evaluationPersistence } from './persistence/schema';

@Module({
  imports: [TypeOrmModule.forFeature(evaluationPersistence.entities)],
  providers: [EvaluationRepository],
  exports: [EvaluationRepository],
})
export class EvaluationRecordsModule {}
