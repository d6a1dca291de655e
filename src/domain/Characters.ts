/** Whether a text has so many characters, counted as Unicode does: an emoji is one, though JavaScript counts two units for it. */
export const hasCharacters = (text: string, least: number, most: number): boolean => {
  const { length } = text
  // No character has more than two units, so that few texts have to be counted.
  if (length < least || length > 2 * most) return false
  if (length >= 2 * least && length <= most) return true
  let count = 0
  for (const _ of text) count++
  return count >= least && count <= most
}
