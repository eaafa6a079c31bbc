/**
 * Writes Parquet files row group by row group, as a package of its own: nothing here knows of exports or media. The footer is
 * hyparquet-writer's. Its `write` encodes and compresses a whole row group in one turn of the event loop, three times as long as
 * encoding alone, so pages are laid out here and compressed on other threads (ADR 28).
 */
export {
  floatColumn,
  int32Column,
  optionalBooleanColumn,
  optionalDoubleColumn,
  optionalTextColumn,
  optionalTimeColumn,
  textColumn,
  textListColumn,
  vectorColumn,
  type ColumnPage,
  type ParquetColumn,
} from './parquet-column';
export { packGroup, ParquetFile, type PackedGroup } from './parquet-file';
