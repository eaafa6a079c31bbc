/** A file of vectors can't be used. The message continues a sentence that begins with the file. */
export class VectorFault extends Error {}
