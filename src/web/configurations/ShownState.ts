import type { Codec } from "../url/Codec.ts"

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
}

export const shownCodec: Codec<Shown> = {
  read: (parameters) => ({
    view: views.find(([view]) => view === parameters.get("view"))?.[0] ?? "form",
    player: parameters.get("player") ?? ""
  }),
  write: ({ view, player }) =>
    new URLSearchParams({
      ...(view === "form" ? {} : { view }),
      ...(view === "player" && player !== "" ? { player } : {})
    })
}
