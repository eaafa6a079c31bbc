import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
export type JobVerdict = 'failed' | 'cancelled';

@Entity({ name: 'job_run' })
@Index(['type', 'singletonKey'], { unique: true, where: '(finished_at IS NULL)' })
@Index(['type', 'state', 'startAfter'])
@Index(['leaseUntil'])
@Index(['finishedAt'])
export class JobRunEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  type!: string;

  @Column('jsonb')
  payload!: object;

  @Column('text')
  state!: JobState;

  @Column('text', { nullable: true })
  singletonKey!: string | null;

  @Column('integer')
  attempt!: number;

  /** Consecutive failed attempts without progress. */
  @Column('integer')
  failures!: number;

  /** Consecutive attempts without progress whose process ended. */
  @Column('integer')
  lostLeases!: number;

  /** The outcome, set before it is reported to the handler. */
  @Column('text', { nullable: true })
  verdict!: JobVerdict | null;

  @Column('boolean')
  cancelRequested!: boolean;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('jsonb', { nullable: true })
  checkpoint!: unknown;

  @Column('text', { nullable: true })
  owner!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  heartbeatAt!: Date | null;

  @Column('timestamptz')
  startAfter!: Date;

  /** The start of the outage for which the run waits. */
  @Column('timestamptz', { nullable: true })
  waitingSince!: Date | null;

  /** The span that enqueued the run, in the format of the header `traceparent`. */
  @Column('text', { nullable: true })
  traceParent!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
