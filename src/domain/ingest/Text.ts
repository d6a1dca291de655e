// oxlint-disable-next-line no-control-regex
const unstorable = /[\u0000\p{Surrogate}]/gu

/** Whether the text is ASCII without U+0000: then it is well formed and has as many bytes as characters. */
export const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f || unit === 0) return false
  }
  return true
}

/** The text with every lone surrogate and every U+0000, which not every store can hold, replaced by U+FFFD. */
export const wellFormed = (text: string): string => (isAscii(text) ? text : text.replace(unstorable, "\uFFFD"))

/** The length in bytes of a well-formed text in UTF-8. */
export const utf8Length = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) bytes++
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}
