import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { EnrichmentType } from '../../common/engine/models/model-manifest';
import { ModelRegistry } from '../../common/engine/models/model-registry';
import type { DatasetPointer } from '../datasets';
import { assertModelsKnown } from '../tables';
import { readCatalogue } from './catalogue';
import type { KnownModel } from './domain/chosen-models';
import { STORED_TYPES } from './domain/findings';

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
  private readonly catalogue = readCatalogue();

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
        description: `${model.description} Not installed here; docs/models.md says how to add it.`,
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
