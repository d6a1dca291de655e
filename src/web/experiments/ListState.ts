import type { Codec } from "../url/Codec.ts"
import type { Status } from "./ExperimentWords.ts"
import { isFound } from "../text/Search.ts"

export type Standing = "all" | "running" | "planned" | "drafts" | "ended"

/** What the list of experiments shows. */
export interface ListState {
  readonly view: "table" | "calendar"
  readonly search: string
  readonly standing: Standing
  /** Weeks that the calendar is moved by from where today stands in it; negative is earlier. */
  readonly weeks: number
  /** Rows of the table. */
  readonly shown: number
}

export const atOnce = 50

export const standings: ReadonlyArray<readonly [Standing, string]> = [
  ["all", "All"],
  ["running", "Running"],
  ["planned", "Scheduled"],
  ["drafts", "Drafts"],
  ["ended", "Ended"]
]

const standingOf: Readonly<Record<Status, Standing>> = {
  draft: "drafts",
  scheduled: "planned",
  active: "running",
  paused: "running",
  completed: "ended",
  terminated: "ended"
}

interface Listed {
  readonly name: string
  readonly description: string | null
  readonly hypothesis: string | null
  readonly status: Status
  /** Null: a draft that starts whenever it is started. */
  readonly startsAt: string | null
  readonly createdAt: string
  readonly createdBy: { readonly email: string } | null
}

const since = ({ startsAt, createdAt }: Pick<Listed, "startsAt" | "createdAt">): number =>
  Date.parse(startsAt ?? createdAt)

/** Those that the list shows: what runs first, then what is planned, drafts and what has ended, each with the latest start first. */
export const listed = <Each extends Listed>(
  all: ReadonlyArray<Each>,
  { search, standing }: Pick<ListState, "search" | "standing">
): ReadonlyArray<Each> => {
  const order = (status: Status) => standings.findIndex(([each]) => each === standingOf[status])
  return all
    .filter(({ status }) => standing === "all" || standingOf[status] === standing)
    .filter(({ name, description, hypothesis, createdBy }) =>
      isFound(search, name, description, hypothesis, createdBy?.email)
    )
    .toSorted((left, right) => order(left.status) - order(right.status) || since(right) - since(left))
}

const whole = (text: string | null, low: number, high: number): number | null => {
  const value = Number(text)
  return text !== null && Number.isInteger(value) && value >= low && value <= high ? value : null
}

export const listCodec: Codec<ListState> = {
  read: (parameters) => ({
    view: parameters.get("view") === "calendar" ? "calendar" : "table",
    search: parameters.get("search") ?? "",
    standing: standings.find(([each]) => each === parameters.get("status"))?.[0] ?? "all",
    weeks: whole(parameters.get("weeks"), -520, 520) ?? 0,
    shown: whole(parameters.get("shown"), 1, 10_000) ?? atOnce
  }),
  write: ({ view, search, standing, weeks, shown }) => {
    const parameters = new URLSearchParams()
    if (view !== "table") parameters.set("view", view)
    if (search !== "") parameters.set("search", search)
    if (standing !== "all") parameters.set("status", standing)
    if (weeks !== 0) parameters.set("weeks", String(weeks))
    if (shown !== atOnce) parameters.set("shown", String(shown))
    return parameters
  }
}
