import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository, type FindOptionsWhere } from 'typeorm';
import type { User } from '../domain/workspace';
import { UserEntity } from './workspace.entity';

export interface KnownAccount {
  readonly subject: string;
  readonly enabled: boolean;
  readonly email: string;
  readonly realmRoles: readonly string[];
}

@Injectable()
export class UserRepository {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  find(id: string): Promise<User | undefined> {
    return this.findOne({ id });
  }

  findBySubject(subject: string): Promise<User | undefined> {
    return this.findOne({ subject });
  }

  /** Addresses are stored in lower case. */
  findByEmail(email: string): Promise<User | undefined> {
    return this.findOne({ email: email.toLowerCase() });
  }

  /** Whether any user has signed in at a provider. */
  async hasSubjects(): Promise<boolean> {
    return this.users.existsBy({ subject: Not(IsNull()) });
  }

  /** The accounts of users who sign in at a provider: all, or those with these subjects. */
  async listAccounts(subjects?: readonly string[]): Promise<KnownAccount[]> {
    const rows = await this.users.find({
      select: { id: true, subject: true, enabled: true, email: true, realmRoles: true },
      where: { subject: subjects === undefined ? Not(IsNull()) : In([...subjects]) },
    });
    return rows.map(({ subject, ...account }) => ({ ...account, subject: subject! }));
  }

  async insert(user: User): Promise<void> {
    await this.users.insert({ ...user, email: user.email.toLowerCase(), realmRoles: [...user.realmRoles] });
  }

  async update(id: string, { realmRoles, ...changes }: Partial<Omit<User, 'id' | 'createdAt'>>): Promise<void> {
    const email = changes.email === undefined ? {} : { email: changes.email.toLowerCase() };
    const roles = realmRoles === undefined ? {} : { realmRoles: [...realmRoles] };
    await this.users.update({ id }, { ...changes, ...email, ...roles });
  }

  /** Also deletes the memberships. */
  async delete(id: string): Promise<void> {
    await this.users.delete({ id });
  }

  private async findOne(where: FindOptionsWhere<UserEntity>): Promise<User | undefined> {
    return (await this.users.findOneBy(where)) ?? undefined;
  }
}
