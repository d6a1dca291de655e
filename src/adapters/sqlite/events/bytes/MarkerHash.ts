/**
 * A 32-bit hash of a marker id, given as four words. MurmurHash3's mixing (Appleby 2011) spreads ids that differ in few
 * bits only.
 */
export const markerHash = (seed: number, a: number, b: number, c: number, d: number): number => {
  let mixed = Math.imul(a ^ seed, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ b, 0xcc9e2d51)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ c, 0x1b873593)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ d, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
