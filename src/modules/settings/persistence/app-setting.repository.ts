import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting changed by an admin; the others have the values of the environment. */
@Entity('app_setting')
export class AppSettingEntity {
  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  value!: string;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('uuid')
  updatedBy!: string;
}

/** Channel for NOTIFY. */
export const CHANNEL = 'app_setting';

@Injectable()
export class AppSettingRepository {
  constructor(@InjectRepository(AppSettingEntity) private readonly settings: Repository<AppSettingEntity>) {}

  async all(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.settings.find();
    return new Map(rows.map(({ key, value }) => [key, value]));
  }

  /** Serialises changes of settings until the transaction ends. */
  async lock(): Promise<void> {
    await this.settings.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [CHANNEL]);
  }

  async find(key: string): Promise<string | undefined> {
    return (await this.settings.findOneBy({ key }))?.value;
  }

  async set(key: string, value: string, by: string, now: Date): Promise<void> {
    await this.settings.upsert({ key, value, updatedAt: now, updatedBy: by }, ['key']);
    await this.notifyChange();
  }

  async remove(key: string): Promise<void> {
    await this.settings.delete({ key });
    await this.notifyChange();
  }

  /** Delivered when the transaction commits. */
  private async notifyChange(): Promise<void> {
    await this.settings.query('SELECT pg_notify($1, $2)', [CHANNEL, '']);
  }
}
