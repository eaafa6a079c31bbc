import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { ReviewCommentEntity } from './review-comment.repository';
import { ReviewDecisionEntity } from './review-decision.repository';
import { ReviewItemEntity, ReviewLeaseEntity } from './review-item.repository';
import { ReviewQueueEntity } from './review-queue.repository';

/** Only the queue refers to the dataset: a row that does waits for edits, which lock the dataset. */
class CreateReview1763700006900 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE review_queue (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL,
        question jsonb NOT NULL,
        agreement integer NOT NULL,
        consensus text NOT NULL,
        reviewed boolean NOT NULL,
        item_source text,
        people uuid[],
        due_at timestamptz,
        paused boolean NOT NULL,
        created_at timestamptz NOT NULL,
        created_by text NOT NULL,
        items integer NOT NULL,
        "left" integer NOT NULL,
        finished_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX ON review_queue (dataset_id, name)');
    await runner.query(`
      CREATE TABLE review_item (
        id uuid PRIMARY KEY,
        queue_id uuid NOT NULL REFERENCES review_queue (id) ON DELETE CASCADE,
        position integer NOT NULL,
        media_id uuid NOT NULL,
        annotation_id text,
        expected jsonb,
        state text NOT NULL,
        turn integer NOT NULL,
        answers integer NOT NULL,
        needed integer NOT NULL,
        free_at timestamptz NOT NULL,
        answer jsonb,
        change_id uuid
      )`);
    await runner.query('CREATE INDEX ON review_item (queue_id, position)');
    await runner.query('CREATE INDEX ON review_item (queue_id, state, position)');
    await runner.query(`
      CREATE INDEX ON review_item (queue_id, turn, position) WHERE (state = ANY (ARRAY['open', 'skipped', 'rejected']))`);
    await runner.query(`
      CREATE TABLE review_lease (
        item_id uuid NOT NULL REFERENCES review_item (id) ON DELETE CASCADE,
        user_id uuid NOT NULL,
        queue_id uuid NOT NULL,
        until timestamptz NOT NULL,
        PRIMARY KEY (item_id, user_id)
      )`);
    await runner.query('CREATE INDEX ON review_lease (queue_id, user_id)');
    await runner.query(`
      CREATE TABLE review_decision (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        queue_id uuid NOT NULL,
        item_id uuid NOT NULL REFERENCES review_item (id) ON DELETE CASCADE,
        user_id uuid NOT NULL,
        author text NOT NULL,
        verdict text NOT NULL,
        answer jsonb,
        reason text,
        decided_at timestamptz NOT NULL,
        reviewed_at timestamptz,
        reviewed_by text,
        review_reason text,
        accepted boolean,
        withdrawn boolean NOT NULL
      )`);
    await runner.query('CREATE UNIQUE INDEX ON review_decision (item_id, user_id) WHERE (NOT withdrawn)');
    await runner.query('CREATE INDEX ON review_decision (item_id)');
    await runner.query('CREATE INDEX ON review_decision (queue_id, number)');
    await runner.query(`
      CREATE TABLE review_comment (
        id uuid PRIMARY KEY,
        item_id uuid NOT NULL REFERENCES review_item (id) ON DELETE CASCADE,
        author text NOT NULL,
        text text NOT NULL,
        mentions text[] NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX ON review_comment (item_id, created_at)');
  }
}

class FeedQueues1763700007100 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE review_queue ADD COLUMN view_id uuid REFERENCES saved_view (id) ON DELETE SET NULL,
        ADD COLUMN feed_error text`);
    await runner.query('CREATE INDEX ON review_queue (view_id) WHERE (view_id IS NOT NULL)');
    await runner.query('CREATE INDEX ON review_item (queue_id, media_id)');
  }
}

export const reviewPersistence = {
  entities: [ReviewQueueEntity, ReviewItemEntity, ReviewLeaseEntity, ReviewDecisionEntity, ReviewCommentEntity],
  migrations: [CreateReview1763700006900, FeedQueues1763700007100],
};
