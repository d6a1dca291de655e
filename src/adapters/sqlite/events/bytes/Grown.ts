/** The larger array `into`, which begins with all of `from`. */
export const grown = <Numbers extends Float64Array | Uint32Array>(from: Numbers, into: Numbers): Numbers => {
  into.set(from)
  return into
}
