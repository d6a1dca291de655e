import { Options } from "@zxcvbn-ts/core"

type Words = ReadonlyArray<string | number>

/** What zxcvbn takes for a letter, by the letter: `@` for an a. */
const standIns = Object.entries(new Options().l33tTable)

const codesOf = (text: string): ReadonlyArray<number> =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))

/** Matches words of no other characters than those of the password, and letters that some of them may stand for. */
const madeOf = (password: string): RegExp => {
  const codes = codesOf(password)
  const characters = codes.map((code) => String.fromCharCode(code))
  // In other company a character may have another small letter: a sigma at the end of a word.
  const small = [password, characters.toReversed().join(""), ...characters].map((text) => text.toLowerCase())
  const letters = standIns.flatMap(([letter, signs]) => (signs.some((sign) => password.includes(sign)) ? [letter] : []))
  const all = new Set([...small, ...letters].flatMap(codesOf))
  return new RegExp(`^[${[...all].map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}]+$`)
}

/** A dictionary of fewer words costs less than a look at them. */
const leastWords = 1000

const longestOf = (words: Words): number =>
  words.reduce<number>((best, word, at) => (String(word).length > String(words[best]).length ? at : best), 0)

/**
 * The dictionaries with an empty word in place of each that zxcvbn cannot find in the password: as it is, reversed, or with letters that
 * other characters stand for. What it finds keeps its rank, and the longest word stays, since zxcvbn looks for none longer than that.
 */
export const wordsFor = (
  password: string,
  dictionaries: Readonly<Record<string, Words>>
): Record<string, Array<string | number>> => {
  const possible = madeOf(password)
  const entries = Object.entries(dictionaries).map(([name, words]) => {
    const longest = longestOf(words)
    const isKept = (word: string | number, at: number) =>
      words.length < leastWords || at === longest || possible.test(String(word))
    return [name, words.map((word, at) => (isKept(word, at) ? word : ""))] as const
  })
  return Object.fromEntries(entries)
}
