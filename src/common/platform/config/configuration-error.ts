/** The program cannot start. The message is one sentence for the operator who starts it; no stack is shown. */
export class StartError extends Error {}

/** A setting is invalid or missing. The message is one sentence for the operator who starts the service. */
export class ConfigurationError extends StartError {}
