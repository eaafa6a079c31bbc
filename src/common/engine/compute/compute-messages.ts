import type { SerializedError } from '../../platform/outage/outage';
import type { CheckedModel, ChildModelType } from '../models/child-openers';
import type { StorageConfig } from '../../platform/storage/create-storage';
import type { ComputeRequest, ComputeResult } from './media-analysis';
import type { MemoryLimits } from './memory-share';

export interface ModelToLoad {
  readonly type: ChildModelType;
  readonly id: string;
}

/** The model that a request needs. */
export function modelToLoad(request: ComputeRequest): ModelToLoad | null {
  switch (request.kind) {
    case 'analyze':
    case 'cut':
    case 'embed':
      return { type: 'IMAGE_ENCODING', id: request.modelId };
    case 'apply':
      return { type: request.type, id: request.modelId };
    case 'describe-text':
      return { type: 'MULTIMODEL_IMAGE_ENCODING', id: request.modelId };
    case 'encode':
    case 'tile':
      return null;
  }
}

export type ToChild =
  | {
      readonly type: 'start';
      readonly config: Omit<StorageConfig, 'secretKey'>;
      readonly scratch: string;
      readonly limits: MemoryLimits;
    }
  /** Sent before the requests that name the model, and again after its manifest has changed. */
  | { readonly type: 'load'; readonly model: CheckedModel }
  | {
      readonly type: 'analyze';
      readonly id: number;
      readonly request: ComputeRequest;
      /** A child died during this request, so it must run alone. */
      readonly alone: boolean;
    }
  /** The reply to `large`. */
  | { readonly type: 'go'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number };

export type FromChild =
  | { readonly type: 'ready' }
  | { readonly type: 'unusable'; readonly message: string }
  /** Until the model is loaded, it may be the cause if the child ends. */
  | { readonly type: 'loading' | 'loaded'; readonly modelId: string; readonly residentBytes: number }
  /** From now on, the file or the text may be the cause if the child ends or hangs. */
  | { readonly type: 'working'; readonly id: number; readonly kind: 'IMAGE' | 'VIDEO' | 'TEXT' }
  /** The request waits for memory that only one request has at a time. */
  | { readonly type: 'large'; readonly id: number }
  | { readonly type: 'done'; readonly id: number; readonly result: ComputeResult; readonly residentBytes: number }
  /** A failure of the store or the network, not of the file. */
  | { readonly type: 'failed'; readonly id: number; readonly error: SerializedError };
