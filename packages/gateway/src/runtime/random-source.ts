/** Fills the bytes with randomness that keys may be made of. */
export type FillRandomly = (target: Uint8Array) => void
