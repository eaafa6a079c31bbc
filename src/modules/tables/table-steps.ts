import type { Step } from '../../common/engine/steps/step';
import { AnalyzePartStep, type PartTools } from './analysis/analyze-part.step';
import { neighbourSteps, type NeighbourTools } from './neighbours/neighbour-steps';

/** The steps that any machine can run. A new step is a file in the folder of its subject, and a line here. */
export const tableSteps = (tools: PartTools & NeighbourTools): readonly Step[] => [
  new AnalyzePartStep(tools),
  ...neighbourSteps(tools),
];
