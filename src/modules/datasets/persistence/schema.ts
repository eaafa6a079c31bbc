import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { DatasetMemberEntity, DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import { RemovedFilesEntity } from './removed-files.repository';
import { LabelSetEntity } from './label-set.repository';
import { MetadataFieldEntity } from './metadata-field.repository';

class CreateDatasets1763700000200 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE generation (
        id uuid PRIMARY KEY,
        writer_task_id uuid,
        clustering_id uuid NOT NULL,
        model_id text NOT NULL,
        ladder real[] NOT NULL,
        table_rows integer NOT NULL,
        table_bytes bigint NOT NULL,
        created_at timestamptz NOT NULL,
        orphaned_at timestamptz
      )`);
    await runner.query('CREATE INDEX ON generation (writer_task_id)');
    await runner.query(`
      CREATE TABLE dataset (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES workspace (id),
        owner_id uuid NOT NULL REFERENCES app_user (id),
        display_name text NOT NULL,
        description text NOT NULL,
        source_type text NOT NULL,
        source_uri text,
        created_at timestamptz NOT NULL,
        touched_at timestamptz NOT NULL,
        status_new text NOT NULL,
        progress integer NOT NULL,
        n_images integer NOT NULL,
        n_videos integer NOT NULL,
        n_objects integer NOT NULL,
        n_frames integer NOT NULL,
        fatal_error_msg text,
        source_dataset_id uuid,
        thumbnail_key text,
        generation_id uuid REFERENCES generation (id),
        table_version integer,
        CHECK ((generation_id IS NULL) = (table_version IS NULL))
      )`);
    await runner.query('CREATE INDEX ON dataset (workspace_id)');
    await runner.query('CREATE INDEX ON dataset (generation_id)');
  }
}

class AddTagsFile1763700000500 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dataset ADD COLUMN tags_file uuid');
    await runner.query('CREATE INDEX ON dataset (tags_file)');
  }
}

class AddTextModel1763700000600 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE generation ADD COLUMN text_model_id text NOT NULL DEFAULT 'hashed-words_v00'`);
    await runner.query('ALTER TABLE generation ALTER COLUMN text_model_id DROP DEFAULT');
  }
}

class AddHistory1763700000900 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    // The owner of a generation without references: an id that no dataset has.
    await runner.query('ALTER TABLE generation ADD COLUMN owner_dataset_id uuid NOT NULL DEFAULT gen_random_uuid()');
    await runner.query('ALTER TABLE generation ALTER COLUMN owner_dataset_id DROP DEFAULT');
    await runner.query(
      'UPDATE generation SET owner_dataset_id = dataset.id FROM dataset WHERE dataset.generation_id = generation.id',
    );
    await runner.query(`
      ALTER TABLE dataset
        ADD COLUMN snapshots_supported boolean NOT NULL DEFAULT true,
        ADD COLUMN current_snapshot_id uuid`);
    await runner.query('ALTER TABLE dataset ALTER COLUMN snapshots_supported DROP DEFAULT');
    await runner.query(`
      CREATE TABLE snapshot (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        description text NOT NULL,
        reason text NOT NULL,
        created_at timestamptz NOT NULL,
        created_by text NOT NULL,
        generation_id uuid REFERENCES generation (id),
        table_version integer NOT NULL,
        tags_file uuid,
        tags jsonb NOT NULL,
        n_images integer NOT NULL,
        n_videos integer NOT NULL,
        n_objects integer NOT NULL,
        n_frames integer NOT NULL,
        thumbnail_key text,
        deleted_at timestamptz,
        CHECK ((generation_id IS NULL) = (deleted_at IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX ON snapshot (dataset_id, created_at)');
    await runner.query('CREATE INDEX ON snapshot (generation_id)');
    await runner.query('CREATE INDEX ON snapshot (tags_file)');
  }
}

class CreateDatasetMember1763700002100 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dataset_member (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('editor', 'viewer')),
        created_at timestamptz NOT NULL,
        PRIMARY KEY (dataset_id, user_id)
      )`);
    await runner.query('CREATE INDEX ON dataset_member (user_id)');
    await runner.query('CREATE INDEX ON dataset (owner_id)');
  }
}

class AddEnrichments1763700003900 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE generation ADD COLUMN enrichments jsonb NOT NULL DEFAULT '{}'`);
  }
}

class AddObjectClustering1763700004200 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE generation ADD COLUMN object_clustering_id uuid');
  }
}

class CreateMetadataField1763700005000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadata_field (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        name text NOT NULL,
        type text NOT NULL,
        enum_options jsonb,
        is_multi boolean NOT NULL,
        PRIMARY KEY (dataset_id, name)
      )`);
  }
}

class CreateRemovedFiles1763700005010 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE removed_files (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        files bytea NOT NULL
      )`);
    await runner.query('CREATE INDEX ON removed_files (dataset_id)');
  }
}

class AddNearDuplicates1763700006600 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE generation ADD COLUMN near_duplicates double precision NOT NULL DEFAULT 0.95');
  }
}

/** What sources say about media, beside the table. */
class AddAnnotationState1763700006700 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['dataset', 'snapshot']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN annotation_state uuid`);
      await runner.query(`CREATE INDEX ON ${table} (annotation_state)`);
    }
  }
}

class CreateLabelSet1763700006810 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE label_set (
        dataset_id uuid PRIMARY KEY REFERENCES dataset (id) ON DELETE CASCADE,
        labels jsonb NOT NULL,
        closed boolean NOT NULL
      )`);
  }
}

class AddLabelsFromFolders1763700007300 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dataset ADD COLUMN labels_from_folders boolean NOT NULL DEFAULT false');
    // Until now only the task of the creation had it.
    await runner.query(`
      UPDATE dataset SET labels_from_folders = true FROM task
      WHERE task.dataset_id = dataset.id AND task.type = 'DATASET_CREATION' AND task.parameters->>'labelsFromFolders' = 'true'`);
  }
}

export const datasetsPersistence = {
  entities: [
    DatasetEntity,
    GenerationEntity,
    DatasetMemberEntity,
    MetadataFieldEntity,
    RemovedFilesEntity,
    LabelSetEntity,
  ],
  migrations: [
    CreateDatasets1763700000200,
    AddTagsFile1763700000500,
    AddTextModel1763700000600,
    AddHistory1763700000900,
    CreateDatasetMember1763700002100,
    AddEnrichments1763700003900,
    AddObjectClustering1763700004200,
    CreateMetadataField1763700005000,
    CreateRemovedFiles1763700005010,
    AddNearDuplicates1763700006600,
    AddAnnotationState1763700006700,
    CreateLabelSet1763700006810,
    AddLabelsFromFolders1763700007300,
  ],
};
