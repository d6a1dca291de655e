import type { Usage } from "@effect/cli"
import { Option } from "effect"

/** An option of a command. */
export interface Flag {
  /** With its dashes. */
  readonly name: string
  /** The values that it takes: all of them, or the kind as one word; null where it takes none. */
  readonly values: ReadonlyArray<string> | null
  readonly isOptional: boolean
  readonly isRepeated: boolean
}

/** What a usage says of its options. Values of a choice are separated as in `on | off`. */
export const flagsOf = (usage: Usage.Usage, isOptional = false, isRepeated = false): ReadonlyArray<Flag> => {
  switch (usage._tag) {
    case "Empty":
    case "Mixed":
      return []
    case "Named": {
      const values = Option.getOrNull(Option.map(usage.acceptedValues, (accepted) => accepted.split(" | ")))
      return usage.names
        .filter((name) => name.startsWith("--"))
        .map((name) => ({ name, values, isOptional: isOptional || values === null, isRepeated }))
    }
    case "Optional":
      return flagsOf(usage.usage, true, isRepeated)
    case "Repeated":
      return flagsOf(usage.usage, true, true)
    case "Alternation":
    case "Concat":
      return [usage.left, usage.right].flatMap((part) => flagsOf(part, isOptional, isRepeated))
  }
}
