import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, Index, PrimaryColumn, Repository } from 'typeorm';

@Entity('review_comment')
@Index(['itemId', 'createdAt'])
export class ReviewCommentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  itemId!: string;

  /** E-mail address, as those of the mentioned people. */
  @Column('text')
  author!: string;

  @Column('text')
  text!: string;

  @Column('text', { array: true })
  mentions!: string[];

  @Column('timestamptz')
  createdAt!: Date;
}

export type ReviewComment = Pick<ReviewCommentEntity, 'id' | 'author' | 'text' | 'mentions' | 'createdAt'>;

@Injectable()
export class ReviewCommentRepository {
  constructor(@InjectRepository(ReviewCommentEntity) private readonly comments: Repository<ReviewCommentEntity>) {}

  async insert(itemId: string, comment: Omit<ReviewComment, 'id'>): Promise<ReviewComment> {
    const made = { ...comment, id: randomUUID() };
    await this.comments.insert({ ...made, itemId });
    return made;
  }

  count(itemId: string): Promise<number> {
    return this.comments.countBy({ itemId });
  }

  /** Oldest first. */
  list(itemId: string): Promise<ReviewComment[]> {
    return this.comments.find({ where: { itemId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }
}
