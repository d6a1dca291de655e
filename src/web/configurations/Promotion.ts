import { diff, type DocumentChange } from "../../domain/configuration/Diff.ts"
import type { Document, Path } from "../../domain/configuration/Document.ts"
import { isObject } from "../../domain/configuration/Document.ts"
import { turnLinks } from "../../domain/configuration/LinkTurns.ts"
import type { Configuration, Entry } from "./ConfigurationQueries.ts"
import { linkIn, pathsWithout } from "./Draft.ts"

/** A configuration that others may link to, as far as its name tells. */
type Named = Pick<Entry, "id" | "name" | "alias">

/** What is live in one environment, and what is in the other under its name. */
type Live = Pick<Configuration, "id" | "configuration" | "privacy">

export interface Promotion {
  /** What it will have there. */
  readonly wanted: Document
  readonly changes: ReadonlyArray<DocumentChange>
  /** Paths that public keys see no more there, and see again. */
  readonly hidden: ReadonlyArray<Path>
  readonly shown: ReadonlyArray<Path>
  /** Names of configurations that are linked to and that the other environment lacks. */
  readonly lacking: ReadonlyArray<string>
}

/** What another environment lacks to be as this one is. Links turn to the configurations of the same names there, as in copies that the server makes. */
export const promotionTo = (
  source: Live,
  here: ReadonlyArray<Named>,
  target: Live,
  there: ReadonlyArray<Named>
): Promotion => {
  const lacking = new Set<string>()
  const targetOf = (id: number): number => {
    if (id === source.id) return target.id
    const linked = here.find((each) => each.id === id)
    const namesake = there.find(
      ({ name, alias }) => name === linked?.name || (alias !== null && alias === linked?.name)
    )
    if (namesake === undefined) lacking.add(linked?.name ?? String(id))
    return namesake?.id ?? id
  }
  const turned = turnLinks(source.configuration, linkIn, targetOf)
  const wanted = isObject(turned) ? turned : source.configuration
  return {
    wanted,
    changes: diff(target.configuration, wanted),
    hidden: pathsWithout(source.privacy, target.privacy),
    shown: pathsWithout(target.privacy, source.privacy),
    lacking: [...lacking]
  }
}
