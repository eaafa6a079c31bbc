/** Where rows lie on the map, by ordinal; NaN for rows without a place. */
export interface MapPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
}
