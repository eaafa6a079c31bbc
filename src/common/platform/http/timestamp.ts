/** The only format of times in responses: ISO 8601 in UTC, with microseconds, without a zone. */
export const formatTimestamp = (time: Date): string => time.toISOString().replace('Z', '000');

export const formatTimestampOrNull = (time: Date | null): string | null =>
  time === null ? null : formatTimestamp(time);
