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

/** The first `most` characters of a text, counted as Unicode does; all of it if it has no more. A cut by units would leave half an emoji. */
export const firstCharacters = (text: string, most: number): string => {
  if (text.length <= most) return text
  let end = 0
  for (let count = 0; count < most && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** What a text has to be so that every store can keep it, where it is not: stores of UTF-8 have no half characters, and PostgreSQL no U+0000. */
export const textFlaw = (text: string): string | undefined => {
  if (!text.isWellFormed()) return "well-formed Unicode text"
  return text.includes("\u0000") ? "text without the character U+0000" : undefined
}
