/** A name of a database, table or column, quoted. */
export const identifier = (name: string): string => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", "\0": "\\0" }

/** A text as a literal. Half of a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD. */
export const textLiteral = (text: string): string =>
  `'${text.toWellFormed().replaceAll(/[\\'\0]/g, (character) => escapes[character] ?? "")}'`

/** Texts as the elements of a list. */
export const textLiterals = (texts: Iterable<string>): string => [...texts].map(textLiteral).join(", ")

const farthest = 9_000_000_000_000_000

/**
 * The least whole number that is not below `number`: a whole number is at least (or below) the one exactly when it is at least (or below)
 * the other. Numbers beyond all instants become the farthest instant.
 */
const wholeNumber = (number: number): number => Math.max(-farthest, Math.min(farthest, Math.ceil(number)))

/** The whole number at or above `number` as a literal of 64 bits. */
export const integerLiteral = (number: number): string => `toInt64(${wholeNumber(number)})`

/** These numbers, each rounded up to a whole one, as one literal: ClickHouse parses one text faster than a call for each number. */
export const integersLiteral = (numbers: ReadonlyArray<number>): string =>
  `'[${numbers.map(wholeNumber).join(",")}]'::Array(Int64)`
