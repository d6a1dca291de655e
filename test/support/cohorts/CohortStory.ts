export const [from, to] = ["2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"]

export const time = { step: "day", timezone: "UTC", from, to }

/** Day and hour of March 2026, marker, unit. */
const story: ReadonlyArray<readonly [string, string, string | number | undefined]> = [
  ["02T10", "Start", "ann"],
  ["02T11", "Level", "ann"],
  ["03T10", "Level", "ann"],
  ["03T12", "Buy", "ann"],
  ["02T10", "Start", "bob"],
  ["02T12", "Level", "bob"],
  ["02T10", "Start", "cat"],
  ["03T08", "Start", "cat"],
  ["03T09", "Level", "cat"],
  ["03T10", "Start", 7],
  ["03T11", "Level", 7],
  ["03T12", "Buy", 7],
  ["04T10", "Start", 7],
  ["02T09", "Level", undefined]
]

export const markers = story.map(([at, type, userId], index) => ({
  markerId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  timestamp: `2026-03-${at}:00:00Z`,
  type,
  ...(userId === undefined ? {} : { userId }),
  properties: { position: [1, 1, 1] }
}))

export const all = (...children: ReadonlyArray<object>) => ({ op: "and", children })

/** What is made of the cohort's members, in the order of the columns below. */
interface Expected {
  readonly cohort: string
  readonly members: ReadonlyArray<string>
  /** Markers Level of members, and of everyone else, the server itself included. */
  readonly levels: readonly [number, number]
  /** Start, then Level, then Buy within two days: units at each step. */
  readonly funnel: readonly [number, number, number]
  /** Units with a first Start, and those that start again a day later. */
  readonly retention: readonly [number, number]
  /** Units of the markers Level, newest first. */
  readonly listing: ReadonlyArray<string>
}

export const expected: ReadonlyArray<Expected> = [
  {
    cohort: "buyers",
    members: ["7", "ann"],
    levels: [3, 3],
    funnel: [2, 2, 2],
    retention: [2, 1],
    listing: ["7", "ann", "ann"]
  },
  {
    cohort: "no buyers",
    members: ["bob", "cat"],
    levels: [2, 4],
    funnel: [2, 2, 0],
    retention: [2, 1],
    listing: ["cat", "bob"]
  },
  {
    cohort: "buyers of two levels",
    members: ["ann"],
    levels: [2, 4],
    funnel: [1, 1, 1],
    retention: [1, 0],
    listing: ["ann", "ann"]
  },
  {
    cohort: "of the first day",
    members: ["ann", "bob"],
    levels: [3, 3],
    funnel: [2, 2, 1],
    retention: [2, 0],
    listing: ["ann", "bob", "ann"]
  },
  {
    cohort: "listed",
    members: ["7", "bob"],
    levels: [2, 4],
    funnel: [2, 2, 1],
    retention: [2, 1],
    listing: ["7", "bob"]
  },
  {
    cohort: "not listed",
    members: ["ann", "cat"],
    levels: [3, 3],
    funnel: [2, 2, 1],
    retention: [2, 1],
    listing: ["ann", "cat", "ann"]
  },
  {
    cohort: "of a past week",
    members: [],
    levels: [0, 6],
    funnel: [0, 0, 0],
    retention: [0, 0],
    listing: []
  }
]

export const levels = { time, metrics: [{ id: "A", data: { name: "Level", type: "totalEvents" } }] }

export const funnel = {
  time,
  steps: ["Start", "Level", "Buy"].map((name) => ({ id: name, name })),
  conversionWindow: { step: "day", value: 2 }
}

export const retention = { time, start: { name: "Start" }, startMode: "firstTime", interval: "day", intervals: 3 }
