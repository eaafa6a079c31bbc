/** The places of rows on the map, by ordinal; NaN for rows without one. */
export interface MapPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
}
