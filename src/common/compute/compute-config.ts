import type { StorageConfig } from '../storage/create-storage';

export interface ComputeConfig extends Omit<StorageConfig, 'secretKey'> {
  readonly modelsDir: string | null;
  readonly workerConcurrency: number;
  /** To which frames of videos are scaled down; null to keep their size. */
  readonly frameHeight: number | null;
}
