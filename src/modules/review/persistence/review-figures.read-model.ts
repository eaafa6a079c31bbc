import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AnswerPattern, PairCount } from '../../../common/engine/evaluation/agreement';
import { ReviewDecisionEntity } from './review-decision.repository';

export interface PersonFigures {
  /** E-mail address. */
  readonly person: string;
  readonly answered: number;
  readonly skipped: number;
  readonly flagged: number;
  readonly rejected: number;
  readonly honeypots: number;
  readonly honeypotsRight: number;
}

export interface LabelFigures {
  readonly label: string;
  readonly answered: number;
  readonly rejected: number;
}

const MOST_LABELS = 1_000;

/** What the decisions of a queue add up to. */
@Injectable()
export class ReviewFiguresReadModel {
  constructor(@InjectRepository(ReviewDecisionEntity) private readonly decisions: Repository<ReviewDecisionEntity>) {}

  /** Decisions of the last hour. */
  async rate(queueId: string): Promise<number> {
    const [row] = await this.decisions.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM review_decision
       WHERE queue_id = $1 AND decided_at > now() - interval '1 hour'`,
      [queueId],
    );
    return row!.count;
  }

  byPerson(queueId: string): Promise<PersonFigures[]> {
    return this.decisions.query<PersonFigures[]>(
      `SELECT max(decision.author) AS person,
         (count(*) FILTER (WHERE verdict = 'answer' AND NOT withdrawn))::integer AS answered,
         (count(*) FILTER (WHERE verdict = 'skip' AND NOT withdrawn))::integer AS skipped,
         (count(*) FILTER (WHERE verdict = 'flag' AND NOT withdrawn))::integer AS flagged,
         (count(*) FILTER (WHERE withdrawn))::integer AS rejected,
         (count(*) FILTER (WHERE verdict = 'answer' AND item.expected IS NOT NULL))::integer AS honeypots,
         (count(*) FILTER (WHERE decision.answer = item.expected))::integer AS "honeypotsRight"
       FROM review_decision decision JOIN review_item item ON item.id = decision.item_id
       WHERE decision.queue_id = $1 GROUP BY decision.user_id ORDER BY 1`,
      [queueId],
    );
  }

  /** Of the labels and choices in answers, the most frequent first. */
  byLabel(queueId: string): Promise<LabelFigures[]> {
    return this.decisions.query<LabelFigures[]>(
      `SELECT label, (count(*) FILTER (WHERE NOT withdrawn))::integer AS answered,
         (count(*) FILTER (WHERE withdrawn))::integer AS rejected
       FROM review_decision, LATERAL jsonb_array_elements_text(
         coalesce(answer -> 'labels', CASE WHEN answer ? 'choice' THEN jsonb_build_array(answer -> 'choice') END, '[]')
       ) AS label
       WHERE queue_id = $1 AND verdict = 'answer' GROUP BY label ORDER BY count(*) DESC, label LIMIT ${MOST_LABELS}`,
      [queueId],
    );
  }

  /** Of the answers in force, of items with two or more. */
  patterns(queueId: string): Promise<AnswerPattern[]> {
    return this.decisions.query<AnswerPattern[]>(
      `SELECT "values", count(*)::integer AS items FROM (
         SELECT array_agg(answer::text ORDER BY answer::text) AS "values" FROM review_decision
         WHERE queue_id = $1 AND verdict = 'answer' AND NOT withdrawn
         GROUP BY item_id HAVING count(*) > 1) answers
       GROUP BY "values"`,
      [queueId],
    );
  }

  /** Null unless just two people have answered. */
  async pairs(queueId: string): Promise<readonly PairCount[] | null> {
    const people = await this.decisions.query<{ userId: string }[]>(
      `SELECT DISTINCT user_id AS "userId" FROM review_decision
       WHERE queue_id = $1 AND verdict = 'answer' AND NOT withdrawn ORDER BY 1 LIMIT 3`,
      [queueId],
    );
    const [first, second, third] = people;
    if (first === undefined || second === undefined || third !== undefined) return null;
    return this.decisions.query<PairCount[]>(
      `SELECT one.answer::text AS first, other.answer::text AS second, count(*)::integer AS items
       FROM review_decision one JOIN review_decision other ON other.item_id = one.item_id
       WHERE one.queue_id = $1 AND one.user_id = $2 AND other.user_id = $3
         AND one.verdict = 'answer' AND other.verdict = 'answer' AND NOT one.withdrawn AND NOT other.withdrawn
       GROUP BY 1, 2`,
      [queueId, first.userId, second.userId],
    );
  }
}
