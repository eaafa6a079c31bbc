/** The texts of values, the same on every server, and exact: what is read back equals what was written. */
export const TEXT_FORMS = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`;
