import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../../common/platform/database/forward-migration';
import { AnnotationSegmentEntity, AnnotationStateEntity } from './annotation-state.repository';

class CreateAnnotationState1763700006710 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE annotation_state (
        id uuid PRIMARY KEY,
        sources jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        orphaned_at timestamptz
      )`);
    await runner.query('CREATE TABLE annotation_segment (id uuid PRIMARY KEY, created_at timestamptz NOT NULL)');
    for (const table of ['dataset', 'snapshot'])
      await runner.query(`ALTER TABLE ${table} ADD FOREIGN KEY (annotation_state) REFERENCES annotation_state (id)`);
  }
}

export const annotationStatesPersistence = {
  entities: [AnnotationStateEntity, AnnotationSegmentEntity],
  migrations: [CreateAnnotationState1763700006710],
};
