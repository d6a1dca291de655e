import { folded } from "../text/Search.ts"
import type { IconName } from "../ui/IconPaths.ts"

/** Something the palette leads to. */
export interface Command {
  readonly key: string
  readonly group: string
  readonly name: string
  /** Small letters on the right: a kind, a state. */
  readonly hint?: string
  readonly icon: IconName
  /** Whether it is there for whatever is typed, without being called so. */
  readonly isGuess?: boolean
  readonly run: () => void
}

/** Commands shown of each group; more do not help anybody who types. */
const mostOfGroup = 8

/** 0 is best: the name begins with the text, a word of it does, it holds all words somewhere. Null where it does not match. */
export const rankOf = (name: string, group: string, typed: string): number | null => {
  const text = folded(typed.trim())
  const own = folded(name)
  if (text === "") return 0
  if (own.startsWith(text)) return 0
  if (own.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(text))) return 1
  const all = `${own} ${folded(group)}`
  return text.split(/\s+/).every((word) => all.includes(word)) ? 2 : null
}

/** Those commands that match, best first within their group; groups with better matches come first. A guess comes last, and only where it is likely. */
export const matching = (commands: ReadonlyArray<Command>, typed: string): ReadonlyArray<Command> => {
  const groups = new Map<string, Array<readonly [rank: number, command: Command]>>()
  for (const command of commands.filter(({ isGuess }) => isGuess !== true)) {
    const rank = rankOf(command.name, command.group, typed)
    if (rank === null) continue
    const group = groups.get(command.group) ?? []
    group.push([rank, command])
    groups.set(command.group, group)
  }
  const found = [...groups.values()]
    .map((group) => group.sort(([left], [right]) => left - right))
    .sort((left, right) => (left[0]?.[0] ?? 0) - (right[0]?.[0] ?? 0))
    .flatMap((group) => group.slice(0, mostOfGroup).map(([, command]) => command))
  const guesses = found.length === 0 || looksLikeId(typed) ? commands.filter(({ isGuess }) => isGuess === true) : []
  return [...found, ...guesses]
}

/** Whether a text looks more like an id than like a name: it has digits. */
const looksLikeId = (typed: string): boolean => /\d/.test(typed)

/** Whether a text may be the id of a player: one word of at least three characters. */
export const mayBePlayer = (typed: string): boolean => /^\S{3,256}$/.test(typed.trim())
