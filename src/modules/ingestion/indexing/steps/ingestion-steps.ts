import type { Step } from '../../../../common/engine/steps/step';
import { AnalyzePartStep, type PartTools } from './analyze-part';

/** The steps that any machine can do. A further one is a file beside this one, and a line here. */
export const ingestionSteps = (tools: PartTools): readonly Step[] => [new AnalyzePartStep(tools)];
