/** The program cannot start. The message is one sentence for the operator who starts it; no stack is shown. */
export class StartError extends Error {}
