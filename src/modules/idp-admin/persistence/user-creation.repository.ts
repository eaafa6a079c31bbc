import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { UserCreation } from '../domain/user-creation';
import { UserCreationEntity } from './user-creation.entity';

@Injectable()
export class UserCreationRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(creation: UserCreation): Promise<void> {
    await this.creations().insert({ ...creation, isUndone: false });
  }

  listStartedBefore(time: Date): Promise<UserCreation[]> {
    return this.creations().find({ where: { startedAt: LessThanOrEqual(time) }, order: { startedAt: 'ASC' } });
  }

  /** Says whether that was still to be done, and nobody has begun to undo it. */
  async finish(id: string): Promise<boolean> {
    return (await this.creations().delete({ id, isUndone: false })).affected === 1;
  }

  /** Says whether it is to be undone, and not finished. */
  async beginUndoing(id: string): Promise<boolean> {
    return (await this.creations().update({ id }, { isUndone: true })).affected === 1;
  }

  async delete(id: string): Promise<void> {
    await this.creations().delete({ id });
  }

  private creations() {
    return this.transactions.current().getRepository(UserCreationEntity);
  }
}
