export { makeSample, type SampleSummary } from './make-sample';
export { renderPicture } from './picture';
export { SAMPLE_FAMILIES } from './sample-plan';
export { SeededRandom } from './seeded-random';
