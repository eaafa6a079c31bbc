import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Histogram } from 'prom-client';
import { OBSERVED_CALLS, type CallKind, type ObservedCall } from './observed-calls';
import { Metrics } from './metrics';

const CALL_BUCKETS = [0.005, 0.025, 0.1, 0.5, 2, 10, 60];
const STEP_BUCKETS = [0.1, 1, 10, 60, 600, 3600, 21_600];

/** Durations of calls to the store and to model servers, and of the steps of jobs. */
@Injectable()
export class CallMetrics implements OnModuleDestroy {
  private readonly observe: (call: unknown) => void;

  constructor({ registry }: Metrics) {
    const histogram = <Label extends string>(name: string, help: string, label: Label, buckets: number[]) =>
      new Histogram({ name, help, labelNames: [label, 'outcome'], buckets, registers: [registry] });
    const store = histogram(
      'store_call_duration_seconds',
      'Calls to the object store, by operation and outcome',
      'operation',
      CALL_BUCKETS,
    );
    const model = histogram(
      'model_call_duration_seconds',
      'Requests to models, on servers and in compute processes, by model and outcome',
      'model',
      CALL_BUCKETS,
    );
    const step = histogram(
      'job_step_duration_seconds',
      'Steps of jobs in this process, by step and outcome',
      'step',
      STEP_BUCKETS,
    );
    const observers: Readonly<Record<CallKind, (call: ObservedCall) => void>> = {
      store: ({ name: operation, outcome, seconds }) => store.observe({ operation, outcome }, seconds),
      model: ({ name, outcome, seconds }) => model.observe({ model: name, outcome }, seconds),
      step: ({ name, outcome, seconds }) => step.observe({ step: name, outcome }, seconds),
    };
    this.observe = (call) => observers[(call as ObservedCall).kind](call as ObservedCall);
    OBSERVED_CALLS.subscribe(this.observe);
  }

  onModuleDestroy(): void {
    OBSERVED_CALLS.unsubscribe(this.observe);
  }
}
