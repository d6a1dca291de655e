/** Whether two secrets of the same length are the same, in a time that does not tell where they differ. */
export const isSameSecret = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0
