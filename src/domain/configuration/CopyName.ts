import { firstCharacters } from "../Characters.ts"

/** Longest name of a configuration, in characters. */
const maxCharacters = 100

const suffixed = (name: string, suffix: string): string => firstCharacters(name, maxCharacters - suffix.length) + suffix

/** The first free name among `name` (if it may be kept), `name copy`, `name copy 2`, and so on; a long `name` is cut, so that they fit. */
export const copyName = (name: string, taken: ReadonlySet<string>, mayKeep: boolean): string => {
  if (mayKeep && !taken.has(name)) return name
  let candidate = suffixed(name, " copy")
  for (let number = 2; taken.has(candidate); number++) candidate = suffixed(name, ` copy ${number}`)
  return candidate
}
