import type { Step } from '../../../../common/engine/steps/step';
import { AnalyzePartStep, type PartTools } from './analyze-part';
import { RefineNeighboursStep, ScanCellsStep, type NeighbourTools } from './neighbour-steps';

/** The steps that any machine can do. A further one is a file beside these, and a line here. */
export const ingestionSteps = (tools: PartTools & NeighbourTools): readonly Step[] => [
  new AnalyzePartStep(tools),
  new ScanCellsStep(tools),
  new RefineNeighboursStep(tools),
];
