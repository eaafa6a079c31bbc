import type { FloatRows } from './vector-blocks';
import {
  LANES,
  allocateKernelMemory,
  vectorKernel,
  type KernelMemory,
  type VectorKernel,
} from '../kernels/vector-kernel';

/** A reference to a table that can be sent to another thread. */
export interface VectorTableHandle {
  readonly memory: KernelMemory;
  readonly dimension: number;
}

/** Rows of floats in shared memory. */
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

  /** The cosine of unit vectors, except for rounding. The result is the same on every machine. */
  dot(first: number, second: number): number {
    return this.kernel.dot(first, second, this.stride * 4);
  }

  add(into: number, from: number): void {
    this.kernel.add(into, from, this.stride * 4);
  }
}

/** The distance between the starts of two consecutive rows, in numbers. */
export function strideOf(dimension: number): number {
  return Math.ceil(dimension / LANES) * LANES;
}
