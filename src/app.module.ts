import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { COMPUTE_CONFIG, ComputeModule } from './common/engine/compute/compute.module';
import { VideoSupport } from './common/engine/compute/video-tools';
import { CONFIGURATION, type Configuration } from './common/platform/config/configuration';
import { ConfigurationModule } from './common/platform/config/configuration.module';
import type { SchemaParts } from './common/platform/database/data-source';
import { DatabaseModule } from './common/platform/database/database.module';
import { TransactionRunner } from './common/platform/database/transaction-runner';
import { installationPersistence } from './common/platform/installation/persistence/schema';
import { InstallationModule } from './common/platform/installation/installation.module';
import { StoreIdentity } from './common/platform/installation/store-identity';
import { jobsPersistence } from './common/platform/jobs/jobs-persistence';
import { JobsModule } from './common/platform/jobs/jobs.module';
import type { HealthProbe } from './common/platform/observability/health.controller';
import { loggingModule } from './common/platform/observability/logging';
import { ModelRegistry } from './common/engine/models/model-registry';
import { MediaTableModule } from './common/engine/media-table/media-table.module';
import { ObservabilityModule } from './common/platform/observability/observability.module';
import { OBJECT_STORE, STORAGE_CONFIG, StorageModule } from './common/platform/storage/storage.module';
import { AnnotationsModule, annotationsPersistence } from './modules/annotations';
import { AuditModule, auditPersistence } from './modules/audit';
import { AuthModule, authPersistence } from './modules/auth';
import { ConsoleModule } from './modules/console';
import { DatasetsModule, datasetsPersistence } from './modules/datasets';
import { DuplicatesModule, duplicatesPersistence } from './modules/duplicates';
import { EmbeddingsModule } from './modules/embeddings';
import { EnrichmentModule, enrichmentPersistence } from './modules/enrichment';
import { EvaluationModule } from './modules/evaluation';
import { evaluationPersistence } from './modules/evaluation/records';
import { ExportModule, exportPersistence } from './modules/export';
import { IdpAdminModule, idpAdminPersistence } from './modules/idp-admin';
import { TablesModule, tablesPersistence } from './modules/tables';
import { IngestionModule, ingestionPersistence, storeContents } from './modules/ingestion';
import { NotificationsModule, notificationsPersistence } from './modules/notifications';
import { RateLimitsModule } from './modules/rate-limits';
import { ReviewModule, reviewPersistence } from './modules/review';
import { anchorsPersistence, SearchModule } from './modules/search';
import { Settings, SettingsModule, settingsPersistence } from './modules/settings';
import { SnapshotsModule } from './modules/snapshots';
import { snapshotsPersistence } from './modules/snapshots/records';
import { SubsetsModule } from './modules/subsets';
import { SuggestionsModule, suggestionsPersistence } from './modules/suggestions';
import { TasksModule, tasksPersistence } from './modules/tasks';
import { annotationStatesPersistence, tagsPersistence, VersionsModule } from './modules/versions';
import { ViewsModule, viewsPersistence } from './modules/views';
import { WebhooksModule, webhooksPersistence } from './modules/webhooks';
import { WorkspacesModule, workspacesPersistence } from './modules/workspaces';

const PERSISTENCE: readonly SchemaParts[] = [
  jobsPersistence,
  installationPersistence,
  workspacesPersistence,
  datasetsPersistence,
  snapshotsPersistence,
  tasksPersistence,
  tablesPersistence,
  ingestionPersistence,
  enrichmentPersistence,
  anchorsPersistence,
  tagsPersistence,
  annotationStatesPersistence,
  annotationsPersistence,
  notificationsPersistence,
  viewsPersistence,
  exportPersistence,
  webhooksPersistence,
  duplicatesPersistence,
  suggestionsPersistence,
  reviewPersistence,
  evaluationPersistence,
  auditPersistence,
  settingsPersistence,
  authPersistence,
  idpAdminPersistence,
];

/** The schema of the whole program; also used by commands that open the database without starting it. */
export const SCHEMA: Required<SchemaParts> = {
  entities: PERSISTENCE.flatMap(({ entities }) => entities),
  migrations: PERSISTENCE.flatMap(({ migrations }) => migrations),
  sealed: PERSISTENCE.flatMap(({ sealed = [] }) => sealed),
};

const healthProbes = (
  dataSource: DataSource,
  identity: StoreIdentity,
  models: ModelRegistry,
  videos: VideoSupport,
  settings: Settings,
  { role }: Configuration,
): HealthProbe[] => [
  { part: 'postgres', check: () => dataSource.query('SELECT 1') },
  { part: 'store', check: () => identity.verify() },
  {
    part: 'models',
    check: () => Promise.resolve(),
    warnings: () => Promise.resolve(models.broken().map(({ reason }) => `A model can't be used: ${reason}`)),
    facts: () => ({ IMAGE_MODEL: settings.model('IMAGE_MODEL'), TEXT_MODEL: settings.model('TEXT_MODEL') }),
  },
  // Only workers read videos.
  ...(role === 'api' ? [] : [{ part: 'videos', warnings: () => videos.warnings() }]),
];

@Module({})
export class AppModule {
  static with(configuration: Configuration): DynamicModule {
    const { databaseUrl, dataDir, role, outageWaitMs, callTimeoutMs } = configuration;
    return {
      module: AppModule,
      imports: [
        ConfigurationModule.with([
          [CONFIGURATION, configuration],
          [STORAGE_CONFIG, configuration],
          [COMPUTE_CONFIG, configuration],
        ]),
        loggingModule(configuration),
        DatabaseModule.forRoot({
          ...SCHEMA,
          database: databaseUrl === null ? { embedded: { folder: join(dataDir, 'postgres') } } : { url: databaseUrl },
          directUrl: configuration.databaseDirectUrl,
          applicationName: `dataset-media-service ${role}`,
          callTimeoutMs,
        }),
        JobsModule.forRoot({ work: role !== 'api', soleWorker: databaseUrl === null, outageWaitMs }),
        ScheduleModule.forRoot(),
        StorageModule,
        InstallationModule.with({ inject: [OBJECT_STORE, TransactionRunner], useFactory: storeContents }),
        MediaTableModule,
        ComputeModule,
        ObservabilityModule.with({
          imports: [SettingsModule],
          inject: [DataSource, StoreIdentity, ModelRegistry, VideoSupport, Settings, CONFIGURATION],
          useFactory: healthProbes,
        }),
        WorkspacesModule,
        DatasetsModule,
        TasksModule,
        TablesModule,
        IngestionModule,
        EnrichmentModule,
        AnnotationsModule,
        EmbeddingsModule,
        SubsetsModule,
        VersionsModule,
        SearchModule,
        SnapshotsModule,
        DuplicatesModule,
        SuggestionsModule,
        ReviewModule,
        EvaluationModule,
        NotificationsModule,
        ViewsModule,
        ExportModule,
        WebhooksModule,
        AuditModule,
        SettingsModule,
        AuthModule,
        IdpAdminModule,
        ConsoleModule,
        // Its guard needs the principal, so it comes after the access guard.
        RateLimitsModule,
      ],
    };
  }
}
