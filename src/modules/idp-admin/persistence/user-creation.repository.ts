import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository, Column, Entity, PrimaryColumn } from 'typeorm';
import type { UserCreation } from '../domain/user-creation';

@Entity('user_creation')
export class UserCreationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  username!: string;

  @Column('text')
  firstName!: string;

  @Column('text')
  lastName!: string;

  @Column('timestamptz')
  startedAt!: Date;

  /** Once set, the creation can't be finished. */
  @Column('boolean')
  isUndone!: boolean;
}

@Injectable()
export class UserCreationRepository {
  constructor(@InjectRepository(UserCreationEntity) private readonly creations: Repository<UserCreationEntity>) {}

  async insert(creation: UserCreation): Promise<void> {
    await this.creations.insert({ ...creation, isUndone: false });
  }

  listStartedBefore(time: Date): Promise<UserCreation[]> {
    return this.creations.find({ where: { startedAt: LessThanOrEqual(time) }, order: { startedAt: 'ASC' } });
  }

  /** Returns whether it was unfinished and not being undone. */
  async finish(id: string): Promise<boolean> {
    return (await this.creations.delete({ id, isUndone: false })).affected === 1;
  }

  /** Returns whether it was unfinished, and marks it as being undone. */
  async beginUndoing(id: string): Promise<boolean> {
    return (await this.creations.update({ id }, { isUndone: true })).affected === 1;
  }

  async delete(id: string): Promise<void> {
    await this.creations.delete({ id });
  }
}
