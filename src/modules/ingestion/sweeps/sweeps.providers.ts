import { DraftSweep } from './draft.sweep';
import { GenerationSweep } from './generation.sweep';
import { MediaSweep } from './media.sweep';
import { SweepSchedule } from './sweep.schedule';
import { UnknownTableSweep } from './unknown-table.sweep';
import { WorkSweep } from './work.sweep';

export const SWEEPS = [DraftSweep, GenerationSweep, WorkSweep, MediaSweep, UnknownTableSweep, SweepSchedule];
