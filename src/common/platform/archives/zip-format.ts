/** The signatures of the parts of a zip. */
export const SIGNATURE = {
  local: 0x04034b50,
  central: 0x02014b50,
  descriptor: 0x08074b50,
  end: 0x06054b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
} as const;

export const METHOD = { stored: 0, deflated: 8 } as const;

export const FLAG = {
  encrypted: 1 | (1 << 6) | (1 << 13),
  /** The CRC and sizes follow the data of the member. */
  hasDescriptor: 1 << 3,
  isUtf8: 1 << 11,
} as const;

/** The extra field of ZIP64. A number stored there is the maximum value in its usual place. */
export const ZIP64_EXTRA = 1;
export const MOST_16 = 0xffff;
export const MOST_32 = 0xffff_ffff;
