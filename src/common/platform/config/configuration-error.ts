import { StartError } from './start-error';

/** A setting is invalid or missing. The message is one sentence for the operator who starts the service. */
export class ConfigurationError extends StartError {}
