// A second entry point, for operations only: all other code starts an operation to change a dataset.
export { DatasetStates } from './persistence/dataset-states';
