import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Figures, LabelFigures, SampledFigures } from '../../../common/engine/evaluation/evaluation-result';
import type { EvaluationOptions, EvaluationTask, Protocol } from '../../../common/engine/evaluation/plan';
import { VersionColumns } from '../../datasets';
import type { EvaluatedState } from '../domain/evaluated-state';
import type { ComparedPictures } from '../domain/evaluation';
import type { EvaluatedSlices } from '../domain/slice';

/** The version that is compared is kept while a task runs. */
@Entity('evaluation')
@Index(['datasetId', 'createdAt'])
@Index(['datasetId'], { where: 'keep_up_to_date' })
export class EvaluationEntity extends VersionColumns {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  truth!: string;

  @Column('text')
  predictions!: string;

  @Column('text')
  task!: EvaluationTask;

  @Column('text')
  protocol!: Protocol;

  @Column('jsonb')
  options!: EvaluationOptions;

  @Column('text')
  pictures!: ComparedPictures;

  @Column('jsonb', { nullable: true })
  filter!: object | null;

  @Column('boolean')
  keepUpToDate!: boolean;

  /** As `checkedName`: where it was known last whether another run is needed. */
  @Column('text', { nullable: true })
  checkedVersion!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  taskId!: string | null;

  @Column('text')
  createdBy!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Null, as all that follows it, until the evaluation was completed once. */
  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;

  @Index()
  @Column('uuid', { nullable: true })
  resultFile!: string | null;

  @Column('integer', { nullable: true })
  nPictures!: number | null;

  @Column('integer', { nullable: true })
  nTruth!: number | null;

  @Column('integer', { nullable: true })
  nPredictions!: number | null;

  @Column('double precision', { nullable: true })
  confidence!: number | null;

  @Column('json', { nullable: true })
  metrics!: Figures | null;

  @Column('json', { nullable: true })
  previousMetrics!: Figures | null;

  @Column('json', { nullable: true, select: false })
  perClass!: LabelFigures[] | null;

  @Column('json', { nullable: true })
  errorCosts!: Figures | null;

  /** Also null of those made before samples were kept. */
  @Column('json', { nullable: true, select: false })
  samples!: SampledFigures | null;

  @Column('jsonb', { nullable: true, select: false })
  slices!: EvaluatedSlices | null;

  @Column('jsonb', { nullable: true })
  evaluated!: EvaluatedState | null;

  @Column('integer', { nullable: true })
  tableVersion!: number | null;
}
