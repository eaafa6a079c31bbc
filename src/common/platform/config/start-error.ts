/** Why the program does not start: one sentence for the person who starts it, who needs no stack. */
export class StartError extends Error {}
