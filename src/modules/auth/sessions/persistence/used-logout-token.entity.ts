import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('used_logout_token')
export class UsedLogoutTokenEntity {
  @PrimaryColumn('text', { name: 'id_hash' })
  id!: string;

  /** From then on the token is refused for its age. */
  @Column('timestamptz')
  expiresAt!: Date;
}
