import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository } from 'typeorm';
import type { UserCreation } from '../domain/user-creation';
import { UserCreationEntity } from './user-creation.entity';

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
