/** Longest name of a configuration, in characters. */
const maxCharacters = 100

const suffixed = (name: string, suffix: string): string => name.slice(0, maxCharacters - suffix.length) + suffix

/** The first of `name` (where it may be kept), `name copy`, `name copy 2`, … that is not taken. */
export const copyName = (name: string, taken: ReadonlySet<string>, mayKeep: boolean): string => {
  if (mayKeep && !taken.has(name)) return name
  let candidate = suffixed(name, " copy")
  for (let number = 2; taken.has(candidate); number++) candidate = suffixed(name, ` copy ${number}`)
  return candidate
}
