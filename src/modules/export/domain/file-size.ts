const KB = 1024;
const MB = KB * KB;

/** As `48.27KB` or `3.10MB`. */
export const fileSize = (bytes: number): string =>
  bytes < MB ? `${(bytes / KB).toFixed(2)}KB` : `${(bytes / MB).toFixed(2)}MB`;
