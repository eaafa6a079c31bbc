import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('used_logout_token')
export class UsedLogoutTokenEntity {
  @PrimaryColumn('text', { name: 'id_hash' })
  id!: string;

  /** After this time the token is refused as too old anyway. */
  @Column('timestamptz')
  expiresAt!: Date;
}
