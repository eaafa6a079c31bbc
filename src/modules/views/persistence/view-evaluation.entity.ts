import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** That a view is to be evaluated for a batch, and what came of it. */
@Entity('view_evaluation')
export class ViewEvaluationEntity {
  @PrimaryColumn('uuid')
  viewId!: string;

  @Index()
  @PrimaryColumn('uuid')
  batchId!: string;

  /** When its media could be seen. */
  @Column('timestamptz')
  arrivedAt!: Date;

  /** Null as long as it is owed. */
  @Column('integer', { nullable: true })
  count!: number | null;

  /** Of a match that people are told of: already, or in the notification that gathers what is left of the batch. */
  @Column('text', { nullable: true })
  alert!: 'told' | 'gathered' | null;
}
