/** The row numbers from `from` up to, not including, `to`. */
export const sequence = (from: number, to: number): Uint32Array => {
  const rows = new Uint32Array(to - from)
  for (let index = 0; index < rows.length; index++) rows[index] = from + index
  return rows
}
