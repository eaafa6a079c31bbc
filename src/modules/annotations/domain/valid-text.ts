/** Without NUL and halves of surrogate pairs. */
export const isValidText = (value: string): boolean => Buffer.from(value).toString() === value && !value.includes('\0');
