import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ModelRegistry } from '../../common/engine/models/model-registry';
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
