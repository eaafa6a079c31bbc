import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TaskStatus, TaskType } from '../domain/task';

@Entity('task')
@Index(['datasetId', 'status'])
@Index(['startTime'])
export class TaskEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  datasetName!: string;

  @Column('text')
  createdBy!: string;

  @Column('text')
  type!: TaskType;

  @Column('text')
  status!: TaskStatus;

  @Column('text')
  statusMessage!: string;

  @Column('integer')
  progress!: number;

  @Column('text', { nullable: true })
  errorMessage!: string | null;

  @Column('text', { array: true })
  warnings!: string[];

  @Column('integer')
  quarantined!: number;

  @Column('timestamptz')
  startTime!: Date;

  @Column('timestamptz', { nullable: true })
  endTime!: Date | null;

  @Column('jsonb')
  parameters!: object;

  @Column('uuid', { nullable: true })
  jobId!: string | null;
}
