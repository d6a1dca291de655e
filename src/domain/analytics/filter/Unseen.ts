import { similarName } from "./SimilarName.ts"
import type { FilterCondition } from "./Filter.ts"
import type { Dimension } from "./Breakdown.ts"
import type { SeenName, SeenType } from "../question/Question.ts"

/** What a question names: types of markers, and arguments and properties of them. */
export class NamedThings {
  readonly types = new Set<string>()
  readonly arguments = new Set<string>()
  readonly properties = new Set<string>()

  readonly condition = (condition: FilterCondition): FilterCondition => {
    if ("operator" in condition) this.add(condition.source, condition.name)
    return condition
  }

  readonly dimension = (dimension: Dimension): Dimension => {
    if (dimension.source === "argument" || dimension.source === "property") this.add(dimension.source, dimension.name)
    return dimension
  }

  private add(source: "argument" | "property", name: string): void {
    const names = source === "argument" ? this.arguments : this.properties
    names.add(name)
  }
}

/** What has been seen in an environment. */
export interface SeenThings {
  readonly types: ReadonlyArray<SeenType>
  readonly arguments: ReadonlyArray<SeenName>
  readonly properties: ReadonlyArray<SeenName>
}

export interface Unseen {
  readonly kind: "marker" | "argument" | "property"
  readonly name: string
  /** The name that was seen and is most like it; null when none is. */
  readonly nearest: string | null
  /** What is of this name instead, where an argument was taken for a property or the reverse; null where nothing is. */
  readonly other: "argument" | "property" | null
}

/** Warnings that one answer carries at most. */
const most = 10

const unseen = (kind: Unseen["kind"], asked: ReadonlySet<string>, seen: ReadonlyArray<{ readonly name: string }>) => {
  const names = new Set(seen.map(({ name }) => name))
  return [...asked].flatMap((name) => (names.has(name) ? [] : [{ kind, name, names }]))
}

const others = { marker: null, argument: "property", property: "argument" } as const

const otherOf = (kind: Unseen["kind"], name: string, seen: SeenThings): Unseen["other"] => {
  const other = others[kind]
  if (other === null) return null
  const names = other === "argument" ? seen.arguments : seen.properties
  return names.some((each) => each.name === name) ? other : null
}

/** The names of a question that no marker of the environment ever had, at most ten. */
export const unseenNames = (asked: NamedThings, seen: SeenThings): ReadonlyArray<Unseen> =>
  [
    ...unseen("marker", asked.types, seen.types),
    ...unseen("argument", asked.arguments, seen.arguments),
    ...unseen("property", asked.properties, seen.properties)
  ]
    .slice(0, most)
    .map(({ kind, name, names }) => ({
      kind,
      name,
      nearest: similarName(name, names),
      other: otherOf(kind, name, seen)
    }))
