import { dayMillis } from "../../domain/Durations.ts"
import type { Answer } from "../api/Wire.ts"
import { folded } from "../text/Search.ts"
import { pageNumber } from "../ui/PageOfRows.ts"
import type { Codec } from "../url/Codec.ts"

export type MarkerType = Answer<"markers.types">[number]

export const shows = ["all", "arriving", "silent", "pending", "hidden"] as const
export type Show = (typeof shows)[number]

/** What the tracking plan shows. */
export interface PlanState {
  readonly search: string
  readonly show: Show
  /** From 1. */
  readonly page: number
  /** The type whose arguments are open beside the list; empty for none. */
  readonly type: string
}

export const planCodec: Codec<PlanState> = {
  read: (parameters) => ({
    search: parameters.get("search") ?? "",
    show: shows.find((each) => each === parameters.get("show")) ?? "all",
    page: pageNumber(parameters.get("page")),
    type: parameters.get("type") ?? ""
  }),
  write: ({ search, show, page, type }) => {
    const parameters = new URLSearchParams()
    if (search !== "") parameters.set("search", search)
    if (show !== "all") parameters.set("show", show)
    if (page !== 1) parameters.set("page", String(page))
    if (type !== "") parameters.set("type", type)
    return parameters
  }
}

/** Days without a marker after which a type counts as silent. */
export const silentAfter = 7

const daysSilent = ({ lastSeenAt }: MarkerType, now: number): number =>
  lastSeenAt === null ? 0 : Math.max(0, Math.floor((now - Date.parse(lastSeenAt)) / dayMillis))

/** How a type stands: hidden by somebody, never arrived, silent for a week, or arriving. */
export const standingOf = (type: MarkerType, now: number): Exclude<Show, "all"> => {
  if (type.status === "hidden") return "hidden"
  if (type.status === "pending") return "pending"
  return daysSilent(type, now) >= silentAfter ? "silent" : "arriving"
}

export const standingWords = (type: MarkerType, now: number): string => {
  const standing = standingOf(type, now)
  if (standing === "silent") return `not seen for ${daysSilent(type, now)} days`
  return { hidden: "hidden", pending: "never arrived", arriving: "arriving" }[standing]
}

/** The types that are shown, by name; built-in ones, which begin with `$`, at the end. */
export const shownTypes = (
  types: ReadonlyArray<MarkerType>,
  { search, show }: Pick<PlanState, "search" | "show">,
  now: number
): ReadonlyArray<MarkerType> => {
  const words = folded(search)
  return types
    .filter((type) => show === "all" || standingOf(type, now) === show)
    .filter(({ name, displayName, description }) =>
      folded(`${name} ${displayName ?? ""} ${description ?? ""}`).includes(words)
    )
    .toSorted(
      (left, right) =>
        Number(left.isBuiltin) - Number(right.isBuiltin) ||
        (left.displayName ?? left.name).localeCompare(right.displayName ?? right.name)
    )
}
