import { StartError } from './start-error';

/** A wrong or missing setting; the message is one sentence for the person who starts the program. */
export class ConfigurationError extends StartError {}
