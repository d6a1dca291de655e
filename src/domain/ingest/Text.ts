const surrogate = /\p{Surrogate}/gu

const hasSurrogate = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit <= 0xdfff) return true
  }
  return false
}

/** The text with every lone surrogate replaced by U+FFFD, as any UTF-8 encoder would write it. */
export const wellFormed = (text: string): string => (hasSurrogate(text) ? text.replace(surrogate, "\uFFFD") : text)

/** Bytes of the text in UTF-8. */
export const utf8Length = (text: string): number => {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) bytes++
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}
