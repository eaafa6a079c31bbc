import { basename, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Interval } from '@nestjs/schedule';
import {
  DEFAULT_VENDOR,
  type EnrichmentType,
  ENRICHMENT_TYPES,
  MODEL_ID,
} from '../../common/engine/models/model-manifest';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import { readEntries } from '../../model-tools/packages/model-package';
import type { DatasetPointer } from '../datasets';
import { assertModelsKnown } from '../tables';
import type { KnownModel } from './domain/chosen-models';
import { STORED_TYPES } from './domain/findings';
import { BUILT_IN_MODELS } from '../../common/engine/models/built-in-models';
import type { Model } from '../../common/engine/models/model-runtime';
import { errorMessage } from '../../common/platform/errors/error-code';

const LOOK_EVERY_MS = 10_000;

/** Looks at the model folders from time to time, and logs what has changed. */
@Injectable()
export class ModelWatch implements OnModuleInit {
  private readonly logger = new Logger(ModelWatch.name);
  private known: readonly Model[] = [];
  private reasons: readonly string[] = [];
  private lastFailure: string | undefined;

  constructor(private readonly registry: ModelRegistry) {}

  onModuleInit(): void {
    this.known = this.registry.all();
    this.logBroken();
  }

  @Interval(LOOK_EVERY_MS)
  async look(): Promise<void> {
    try {
      await this.registry.refresh();
      this.logModels();
      this.logBroken();
      this.lastFailure = undefined;
    } catch (error) {
      const failure = errorMessage(error);
      if (failure !== this.lastFailure) this.logger.warn(failure);
      this.lastFailure = failure;
    }
  }

  private logModels(): void {
    const models = this.registry.all();
    for (const model of models) {
      const { manifest, folder } = model;
      if (!this.known.includes(model)) this.logger.log(`Found the model ${manifest.id} in ${folder}`);
    }
    for (const { manifest, folder } of this.known)
      if (!this.registry.has(manifest.id)) this.logger.warn(`The model ${manifest.id} in ${folder} is gone`);
    this.known = models;
  }

  private logBroken(): void {
    const broken = this.registry.broken();
    for (const { folder, reason } of broken)
      if (!this.reasons.includes(reason)) this.logger.warn(`The model in ${folder} can't be used: ${reason}`);
    this.reasons = broken.map(({ reason }) => reason);
  }
}

const catalogue = z.array(
  z.strictObject({
    id: z.string().regex(MODEL_ID),
    name: z.string().min(1),
    type: z.enum(ENRICHMENT_TYPES),
    vendor: z.string().min(1),
    description: z.string().min(1),
    dependencies: z.array(z.enum(ENRICHMENT_TYPES)).nullable(),
  }),
);

/** A model that sites often bring, and that `docs/models.md` says how to get. */
type CataloguedModel = z.infer<typeof catalogue>[number];

export const readCatalogue = (): CataloguedModel[] =>
  catalogue.parse(JSON.parse(readFileSync(join(BUILT_IN_MODELS, 'catalogue.json'), 'utf8')));

/** Those that the operator could install by the command, as `docs/models.md` says. */
export const installableModels = (): CataloguedModel[] =>
  readEntries().flatMap(
    ({ manifest: { id, name, type, vendor = DEFAULT_VENDOR, description, dependencies = null } }) =>
      type === 'TEXT_ENCODING' ? [] : [{ id, name, type, vendor, description, dependencies }],
  );

export interface ListedModel {
  readonly id: string;
  readonly name: string;
  /** Of an unusable folder: the contents of its manifest. */
  readonly type: string;
  readonly status: 'Active' | 'Coming Soon';
  readonly vendor: string;
  readonly description: string;
  readonly dependencies: readonly EnrichmentType[] | null;
}

/** The models that people may apply. */
@Injectable()
export class ModelList {
  private readonly catalogue = [
    ...installableModels().map((model) => ({
      ...model,
      description: `${model.description} Not installed here: \`npm run models -- install ${model.id}\` installs it.`,
    })),
    ...readCatalogue().map((model) => ({
      ...model,
      description: `${model.description} Not installed here; docs/models.md says how to add it.`,
    })),
  ];

  constructor(private readonly registry: ModelRegistry) {}

  known(): KnownModel[] {
    const installed = this.registry.all().flatMap(({ manifest }): KnownModel[] => {
      const { id, status, dependencies } = manifest;
      const type = STORED_TYPES.find((each) => each === manifest.type);
      return type === undefined ? [] : [{ id, type, status, dependencies }];
    });
    return [...installed, ...this.missing];
  }

  /** Those of the catalogue that are not installed. */
  private get missing(): (ListedModel & KnownModel)[] {
    return this.catalogue
      .filter(({ id }) => !this.registry.has(id))
      .map((model) => ({
        ...model,
        status: 'Coming Soon',
      }));
  }

  /** Throws unless the models of a published table are there. */
  assertKnown(pointer: DatasetPointer): Promise<void> {
    return assertModelsKnown(this.registry, pointer);
  }

  /** Looks at the folders again. */
  async refresh(): Promise<void> {
    await this.registry.refresh();
  }

  /** As the folders are now. */
  async list(): Promise<ListedModel[]> {
    await this.refresh();
    const known = new Set(this.known().map(({ id }) => id));
    const usable = this.registry.all().filter(({ manifest }) => known.has(manifest.id));
    const broken = this.registry.broken().map(({ folder, type, reason }) => ({
      id: basename(folder),
      name: basename(folder),
      type: type ?? 'UNKNOWN',
      status: 'Coming Soon' as const,
      vendor: 'Local',
      description: `This model can't be used: ${reason}`,
      dependencies: null,
    }));
    return [
      ...usable.map(({ manifest: { id, name, type, status, vendor, description, dependencies } }) => ({
        id,
        name,
        type,
        status,
        vendor,
        description,
        dependencies,
      })),
      ...broken,
      ...this.missing,
    ];
  }
}
