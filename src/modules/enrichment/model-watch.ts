import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ModelRegistry, type BrokenModel } from '../../common/engine/models/model-registry';
import { errorMessage } from '../../common/platform/errors/error-code';

const LOOK_EVERY_MS = 10_000;

/** Looks at the model folders from time to time, and logs what has changed. */
@Injectable()
export class ModelWatch implements OnModuleInit {
  private readonly logger = new Logger(ModelWatch.name);
  private lastFailure: string | undefined;

  constructor(private readonly registry: ModelRegistry) {}

  onModuleInit(): void {
    for (const broken of this.registry.broken()) this.warn(broken);
  }

  @Interval(LOOK_EVERY_MS)
  async look(): Promise<void> {
    try {
      const { added, removed, broken } = await this.registry.refresh();
      for (const { manifest, folder } of added) this.logger.log(`Found the model ${manifest.id} in ${folder}`);
      for (const { manifest, folder } of removed) this.logger.warn(`The model ${manifest.id} in ${folder} is gone`);
      for (const each of broken) this.warn(each);
      this.lastFailure = undefined;
    } catch (error) {
      const failure = errorMessage(error);
      if (failure !== this.lastFailure) this.logger.warn(failure);
      this.lastFailure = failure;
    }
  }

  private warn({ folder, reason }: BrokenModel): void {
    this.logger.warn(`The model in ${folder} can't be used: ${reason}`);
  }
}
