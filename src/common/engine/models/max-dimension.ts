/** The most numbers that a vector may have. */
export const MAX_DIMENSION = 4096;
