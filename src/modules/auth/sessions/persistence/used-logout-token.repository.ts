import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('used_logout_token')
export class UsedLogoutTokenEntity {
  @PrimaryColumn('text', { name: 'id_hash' })
  id!: string;

  /** After this time the token is refused as too old anyway. */
  @Column('timestamptz')
  expiresAt!: Date;
}

@Injectable()
export class UsedLogoutTokenRepository {
  constructor(@InjectRepository(UsedLogoutTokenEntity) private readonly tokens: Repository<UsedLogoutTokenEntity>) {}

  /** Returns whether the token is used for the first time. */
  async use(id: string, expiresAt: Date): Promise<boolean> {
    const insert = this.tokens.createQueryBuilder().insert();
    const result = await insert.values({ id, expiresAt }).orIgnore().returning('id_hash').execute();
    return (result.raw as readonly unknown[]).length === 1;
  }

  /** Returns how many were affected. */
  async deleteExpired(now: Date): Promise<number> {
    const { affected } = await this.tokens.delete({ expiresAt: LessThanOrEqual(now) });
    return affected ?? 0;
  }
}
