import type { StorageConfig } from '../../platform/storage/create-storage';

export interface ComputeConfig extends Omit<StorageConfig, 'secretKey'> {
  readonly dataDir: string;
  readonly modelsDir: string | null;
  readonly workerConcurrency: number;
}
