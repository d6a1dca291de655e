/** Parts of one search parameter, kept apart by `:`; a part may hold any text. */
export const joinParts = (parts: ReadonlyArray<string>): string => parts.map(escapePart).join(":")

export const splitParts = (text: string): ReadonlyArray<string> => text.split(":").map(unescapePart)

/** The list of one empty text, which would read like an empty list: nothing else is written as a mere `%`. */
const onlyEmpty = "%"

/** A list inside one part. */
export const joinList = (items: ReadonlyArray<string>): string =>
  items.length === 1 && items[0] === "" ? onlyEmpty : items.map(escapePart).join("|")

export const splitList = (text: string): ReadonlyArray<string> => {
  if (text === onlyEmpty) return [""]
  return text === "" ? [] : text.split("|").map(unescapePart)
}

const escapePart = (part: string): string => part.replaceAll("%", "%25").replaceAll(":", "%3A").replaceAll("|", "%7C")

const unescapePart = (part: string): string => part.replaceAll("%7C", "|").replaceAll("%3A", ":").replaceAll("%25", "%")
