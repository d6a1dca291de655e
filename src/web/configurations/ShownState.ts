import type { DocumentChange } from "../../domain/configuration/Diff.ts"
import type { Json } from "../../domain/configuration/Document.ts"
import { isObject } from "../../domain/configuration/Document.ts"
import type { Codec } from "../url/Codec.ts"
import { readValue } from "./Draft.ts"

type View = "form" | "json" | "player" | "history"

export const views: ReadonlyArray<readonly [View, string]> = [
  ["form", "Form"],
  ["json", "JSON"],
  ["player", "As player …"],
  ["history", "History"]
]

/** What the page of a configuration shows. */
interface Shown {
  readonly view: View
  /** As whom the configuration is looked at; empty for nobody. */
  readonly player: string
  /** Changes that the draft begins with, which whoever made the address proposes. Nothing is published by opening it. */
  readonly proposed: ReadonlyArray<Proposal>
}

/** A change without the value that it replaces, which the configuration says. */
export type Proposal = Pick<DocumentChange, "op" | "path"> & { readonly value?: Json }

/** Longer addresses are refused on the way to the server. */
export const longestProposal = 6000

const proposalIn = (value: Json): ReadonlyArray<Proposal> => {
  if (!isObject(value)) return []
  const { op, path, value: wanted } = value
  if (!Array.isArray(path) || path.length === 0) return []
  const keys = path.map(String)
  if (op === "remove") return [{ op, path: keys }]
  return op === "set" && wanted !== undefined ? [{ op, path: keys, value: wanted }] : []
}

const proposalsIn = (text: string | null): ReadonlyArray<Proposal> => {
  const read = readValue(text ?? "[]")
  return "value" in read && Array.isArray(read.value) ? read.value.flatMap(proposalIn) : []
}

export const shownCodec: Codec<Shown> = {
  read: (parameters) => ({
    view: views.find(([view]) => view === parameters.get("view"))?.[0] ?? "form",
    player: parameters.get("player") ?? "",
    proposed: proposalsIn(parameters.get("changes"))
  }),
  write: ({ view, player, proposed }) =>
    new URLSearchParams({
      ...(view === "form" ? {} : { view }),
      ...(view === "player" && player !== "" ? { player } : {}),
      ...(proposed.length === 0 ? {} : { changes: JSON.stringify(proposed) })
    })
}
