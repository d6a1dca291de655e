import { Option } from "effect"

/** What may be a whole number above 2^53 - 1, which has 16 digits at least and then begins with a 9, where a value stands. Lines without one cost no more. */
const mayBeLong = /(?:^|[:,[\s])-?(?:\d{17,}|9\d{15})\s*(?:[,}\]]|$)/

/** The texts and numbers of JSON. Each text matches in one way only, however many escapes it has. */
const texts = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

const isLong = (token: string): boolean => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))

const withTexts = (json: string): string =>
  json.replace(texts, (token) => (token.startsWith('"') || !isLong(token) ? token : `"${token}"`))

/** Whether a text is a whole number that no number of JavaScript holds for certain, such as an id of Steam. */
export const isLongNumber = (text: string): boolean => text.length > 15 && isLong(text)

/** The value of a JSON text, in which whole numbers above 2^53 - 1 are texts of all their digits; none for what is no JSON. */
export const exactJson: (json: string) => Option.Option<unknown> = Option.liftThrowable((json: string): unknown => {
  const value: unknown = JSON.parse(json)
  return mayBeLong.test(json) ? JSON.parse(withTexts(json)) : value
})

/** The JSON as it was written where its value has texts in the place of numbers; undefined where the value says it. */
export const writtenWhere = (json: string): string | undefined =>
  mayBeLong.test(json) && withTexts(json) !== json ? json : undefined
