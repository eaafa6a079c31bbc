import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ApiKey } from '../domain/api-key';

@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryColumn('text')
  apiKey!: string;

  @Index()
  @Column('uuid')
  userId!: string;

  @Column('bytea')
  sealedSecret!: Buffer;

  @Column('text')
  keyId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;
}

@Injectable()
export class ApiKeyRepository {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>) {}

  async find(apiKey: string): Promise<ApiKey | undefined> {
    return (await this.keys.findOneBy({ apiKey })) ?? undefined;
  }

  /** Newest first. */
  listOfUser(userId: string): Promise<ApiKey[]> {
    return this.keys.find({ where: { userId }, order: { createdAt: 'DESC', apiKey: 'ASC' } });
  }

  async insert(key: ApiKey): Promise<void> {
    await this.keys.insert(key);
  }

  /** Returns whether the user had such a key. */
  async delete(apiKey: string, userId: string): Promise<boolean> {
    return (await this.keys.delete({ apiKey, userId })).affected === 1;
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.keys.delete({ userId });
  }

  async setLastUsed(apiKey: string, at: Date): Promise<void> {
    await this.keys.update({ apiKey }, { lastUsedAt: at });
  }

  countSealedOtherwise(keyIds: readonly string[]): Promise<number> {
    return this.keys.countBy({ keyId: Not(In(keyIds)) });
  }
}
