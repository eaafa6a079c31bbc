import type { FloatRows } from './vector-blocks';
import {
  LANES,
  allocateKernelMemory,
  vectorKernel,
  type KernelMemory,
  type VectorKernel,
} from '../kernels/vector-kernel';

/** What another thread needs to access the same vectors; can be sent in a message. */
export interface VectorTableHandle {
  readonly memory: KernelMemory;
  readonly dimension: number;
}

/** Rows of floats in shared memory, with fast arithmetic. */
export class VectorTable implements FloatRows {
  readonly dimension: number;
  readonly stride: number;
  readonly floats: Float32Array;
  private readonly kernel: VectorKernel;

  constructor(readonly handle: VectorTableHandle) {
    this.dimension = handle.dimension;
    this.stride = strideOf(handle.dimension);
    this.floats = new Float32Array(handle.memory.buffer);
    this.kernel = vectorKernel(handle.memory);
  }

  static allocate(rows: number, dimension: number): VectorTable {
    return new VectorTable({ memory: allocateKernelMemory(rows * strideOf(dimension) * 4), dimension });
  }

  row(index: number): Float32Array {
    return this.floats.subarray(index * this.stride, index * this.stride + this.dimension);
  }

  /** For unit vectors the cosine, except for rounding; the same on every machine. */
  dot(first: number, second: number): number {
    return this.kernel.dot(first, second, this.stride * 4);
  }

  add(into: number, from: number): void {
    this.kernel.add(into, from, this.stride * 4);
  }
}

/** The numbers from one row to the next. */
export function strideOf(dimension: number): number {
  return Math.ceil(dimension / LANES) * LANES;
}
