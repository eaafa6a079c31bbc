import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, Index, MoreThan, PrimaryColumn, Repository } from 'typeorm';
import type { Answer } from '../domain/question';
import type { Decision, Verdict } from '../domain/review-queue';

@Entity('review_decision')
@Index(['itemId', 'userId'], { unique: true, where: '(NOT withdrawn)' })
@Index(['itemId'])
@Index(['queueId', 'number'])
export class ReviewDecisionEntity {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  number!: string;

  @Column('uuid')
  queueId!: string;

  @Column('uuid')
  itemId!: string;

  @Column('uuid')
  userId!: string;

  @Column('text')
  author!: string;

  @Column('text')
  verdict!: Verdict;

  @Column('jsonb', { nullable: true })
  answer!: Answer | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('timestamptz')
  decidedAt!: Date;

  @Column('timestamptz', { nullable: true })
  reviewedAt!: Date | null;

  @Column('text', { nullable: true })
  reviewedBy!: string | null;

  @Column('text', { nullable: true })
  reviewReason!: string | null;

  @Column('boolean', { nullable: true })
  accepted!: boolean | null;

  /** A rejected one counts no longer. */
  @Column('boolean')
  withdrawn!: boolean;
}

/** What somebody else said about an answer. */
export interface ReviewOfAnswer {
  readonly accepted: boolean;
  /** E-mail address. */
  readonly by: string;
  readonly reason: string | null;
  readonly at: Date;
}

@Injectable()
export class ReviewDecisionRepository {
  constructor(@InjectRepository(ReviewDecisionEntity) private readonly decisions: Repository<ReviewDecisionEntity>) {}

  async insert(queueId: string, decision: Decision): Promise<void> {
    await this.decisions.insert({ ...decision, queueId, withdrawn: false });
  }

  /** Those in force, in the order of their time. */
  ofItem(itemId: string): Promise<ReviewDecisionEntity[]> {
    return this.decisions.find({ where: { itemId, withdrawn: false }, order: { number: 'ASC' } });
  }

  /** The one in force. */
  async remove(itemId: string, userId: string): Promise<void> {
    await this.decisions.delete({ itemId, userId, withdrawn: false });
  }

  /** Of the decisions in force; a rejected one is in force no longer. */
  async review(itemId: string, { accepted, by, reason, at }: ReviewOfAnswer): Promise<void> {
    await this.decisions.update(
      { itemId, withdrawn: false },
      { accepted, reviewedBy: by, reviewReason: reason, reviewedAt: at, withdrawn: !accepted },
    );
  }

  /** All of a queue, also those that were rejected, oldest first. */
  list(queueId: string, after: number | undefined, limit: number): Promise<ReviewDecisionEntity[]> {
    const where = { queueId, ...(after !== undefined && { number: MoreThan(String(after)) }) };
    return this.decisions.find({ where, order: { number: 'ASC' }, take: limit });
  }
}
