/** The one form of a time on the wire: ISO 8601 in UTC, microseconds, no zone. */
export const formatTimestamp = (time: Date): string => time.toISOString().replace('Z', '000');

export const formatTimestampOrNull = (time: Date | null): string | null =>
  time === null ? null : formatTimestamp(time);
