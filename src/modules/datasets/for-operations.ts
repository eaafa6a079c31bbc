// A second door, for operations alone: whoever else wants a dataset to change starts one.
export { DatasetStates } from './persistence/dataset-states';
