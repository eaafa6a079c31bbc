/** The program cannot start. The message is one sentence for whoever starts it; no stack is shown. */
export class StartError extends Error {}
