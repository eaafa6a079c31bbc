import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The evaluation of a view for a batch, pending or done. */
@Entity('view_evaluation')
export class ViewEvaluationEntity {
  @PrimaryColumn('uuid')
  viewId!: string;

  @Index()
  @PrimaryColumn('uuid')
  batchId!: string;

  /** When the media of the batch became visible. */
  @Column('timestamptz')
  arrivedAt!: Date;

  /** Null while the evaluation is pending. */
  @Column('integer', { nullable: true })
  count!: number | null;

  /** `told`: users were notified of the match. `gathered`: the summary of the batch will include it. */
  @Column('text', { nullable: true })
  alert!: 'told' | 'gathered' | null;
}
