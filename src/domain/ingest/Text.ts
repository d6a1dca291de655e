const surrogate = /\p{Surrogate}/gu

/** Whether the text is ASCII; then it is well-formed and has as many bytes as characters. */
export const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** The text with each lone surrogate replaced by U+FFFD, as UTF-8 encoders do. */
export const wellFormed = (text: string): string => (isAscii(text) ? text : text.replace(surrogate, "\uFFFD"))

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
