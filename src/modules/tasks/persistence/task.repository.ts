import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { RETRYABLE, RUNNING_STATUSES, type Task, type TaskType, type TaskStatus } from '../domain/task';
import { TaskNotFoundError } from '../domain/operation-conflicts';

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

type Changes = Partial<
  Pick<
    Task,
    'status' | 'statusMessage' | 'progress' | 'errorMessage' | 'quarantined' | 'endTime' | 'startTime' | 'jobId'
  >
>;

@Injectable()
export class TaskRepository {
  constructor(@InjectRepository(TaskEntity) private readonly tasks: Repository<TaskEntity>) {}

  async insert(task: Task): Promise<void> {
    await this.tasks.insert({ ...task, warnings: [...task.warnings] });
  }

  async find(id: string): Promise<Task | undefined> {
    return (await this.tasks.findOneBy({ id })) ?? undefined;
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Task>> {
    return new Map((await this.tasks.findBy({ id: In([...ids]) })).map((task) => [task.id, task]));
  }

  async startTimes(ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const tasks = await this.tasks.find({ select: { id: true, startTime: true }, where: { id: In([...ids]) } });
    return new Map(tasks.map(({ id, startTime }) => [id, startTime]));
  }

  async lock(id: string): Promise<Task> {
    const task = await this.tasks.createQueryBuilder('task').where({ id }).setLock('pessimistic_write').getOne();
    if (task === null) throw new TaskNotFoundError();
    return task;
  }

  async runningTypes(datasetId: string): Promise<TaskType[]> {
    const tasks = await this.tasks.find({
      select: { type: true },
      where: { datasetId, status: In([...RUNNING_STATUSES]) },
    });
    return tasks.map(({ type }) => type);
  }

  listRunning(datasetId: string, type: TaskType): Promise<Task[]> {
    return this.tasks.findBy({ datasetId, type, status: In([...RUNNING_STATUSES]) });
  }

  /** The tasks that create this dataset as a copy. */
  listMaking(copyId: string): Promise<Task[]> {
    return this.tasks
      .createQueryBuilder('task')
      .where({ status: In([...RUNNING_STATUSES]) })
      .andWhere("task.parameters->>'copyId' = :copyId", { copyId })
      .getMany();
  }

  async latest(datasetId: string, type: TaskType): Promise<Task | undefined> {
    return (await this.tasks.findOne({ where: { datasetId, type }, order: { startTime: 'DESC' } })) ?? undefined;
  }

  listOf(datasetId: string, types: readonly TaskType[]): Promise<Task[]> {
    return this.tasks.findBy({ datasetId, type: In([...types]) });
  }

  async runningIds(): Promise<string[]> {
    const where = { status: In([...RUNNING_STATUSES]) };
    const tasks = await this.tasks.find({ select: { id: true }, where });
    return tasks.map(({ id }) => id);
  }

  /** One query: a task that is being retried is then in exactly one of the two states. */
  async unfinishedAmong(ids: readonly string[]): Promise<string[]> {
    const retryable = Object.entries(RETRYABLE).flatMap(([type, statuses]) =>
      statuses.map((each) => `${type} ${each}`),
    );
    const tasks = await this.tasks.query<{ id: string }[]>(
      `SELECT id FROM task
       WHERE id = ANY($1::uuid[]) AND (
         status = ANY($2::text[])
         OR (type || ' ' || status) = ANY($3::text[])
           -- Without its copy, or the table that it began with, it can't be retried.
           AND (parameters->>'copyId' IS NULL
             OR EXISTS (SELECT 1 FROM dataset WHERE dataset.id = (task.parameters->>'copyId')::uuid))
           AND (parameters->'base' IS NULL
             OR EXISTS (SELECT 1 FROM dataset WHERE dataset.id = task.dataset_id
                 AND parameters->'base'->>'generation' = generation_id::text
                 AND parameters->'base'->>'version' = table_version::text))
       )`,
      [ids, RUNNING_STATUSES, retryable],
    );
    return tasks.map(({ id }) => id);
  }

  async knownAmong(ids: readonly string[]): Promise<string[]> {
    const tasks = await this.tasks.query<{ id: string }[]>('SELECT id FROM task WHERE id = ANY($1::uuid[])', [ids]);
    return tasks.map(({ id }) => id);
  }

  /** Updates the task if it is running; returns false otherwise. */
  async updateRunning(id: string, changes: Changes): Promise<boolean> {
    const result = await this.tasks.update({ id, status: In([...RUNNING_STATUSES]) }, changes);
    return result.affected === 1;
  }

  async update(id: string, changes: Changes): Promise<void> {
    await this.tasks.update({ id }, changes);
  }

  async setFindings(id: string, findings: { warnings: readonly string[]; quarantined: number }): Promise<void> {
    await this.tasks.update({ id }, { warnings: [...findings.warnings], quarantined: findings.quarantined });
  }
}
