import { describeRoundTrips } from '../../../../test/support/round-trips';
import { ANNOTATION_ROWS } from './annotation-rows';

describeRoundTrips({
  csv: { format: ANNOTATION_ROWS.csv, read: 'table', isExact: true },
  parquet: { format: ANNOTATION_ROWS.parquet, read: 'table', isExact: true },
  json: { format: ANNOTATION_ROWS.json, read: 'table', isExact: true },
});
