/** What a run is to be: `sizes` are those of growth. */
export interface Plan {
  readonly events: number
  readonly rounds: number
  readonly sizes: string
  readonly isQuick: boolean
}

export interface Benchmark {
  readonly name: string
  readonly does: string
  readonly script: string
  readonly args: (plan: Plan) => ReadonlyArray<string>
  /** How many markers it is about. */
  readonly eventsOf: (plan: Plan) => number
  readonly isQuickToo: boolean
  /** After so many it is cut off. */
  readonly minutes: number
}

const capped = (most: number) => (plan: Plan) => Math.min(plan.events, most)
const none = () => 0
const all = ({ events }: Plan) => events

const pick =
  (full: ReadonlyArray<string>, quick: ReadonlyArray<string>) =>
  ({ isQuick }: Plan): ReadonlyArray<string> =>
    isQuick ? quick : full

const rounds = (plan: Plan) => ["--rounds", String(plan.rounds)]
const events = (of: (plan: Plan) => number) => (plan: Plan) => ["--events", String(of(plan))]

/** Arguments joined of parts. */
const args =
  (...parts: ReadonlyArray<(plan: Plan) => ReadonlyArray<string>>) =>
  (plan: Plan): ReadonlyArray<string> =>
    parts.flatMap((part) => part(plan))

const seconds = (full: string, quick: string) => pick(["--seconds", full], ["--seconds", quick])

/** In the order in which they run. */
export const benchmarks: ReadonlyArray<Benchmark> = [
  {
    name: "http",
    does: "markers over HTTP beside a bare server",
    script: "Http.ts",
    args: args(rounds, seconds("3", "0.5")),
    eventsOf: none,
    isQuickToo: true,
    minutes: 20
  },
  {
    name: "ingest",
    does: "markers into the store beside DuckDB's appender",
    script: "Ingest.ts",
    args: args(rounds, events(capped(1e6))),
    eventsOf: capped(1e6),
    isQuickToo: true,
    minutes: 60
  },
  {
    name: "evaluate",
    does: "evaluations beside bare servers",
    script: "Evaluate.ts",
    args: args(rounds, seconds("2", "0.5"), pick([], ["--units", "1000"])),
    eventsOf: none,
    isQuickToo: true,
    minutes: 60
  },
  {
    name: "questions",
    does: "warm questions beside DuckDB and ClickHouse, and bytes a marker",
    script: "Bench.ts",
    args: args(rounds, events(all)),
    eventsOf: all,
    isQuickToo: true,
    minutes: 120
  },
  {
    name: "grouped",
    does: "warm questions by groups or players beside DuckDB",
    script: "Grouped.ts",
    args: args(rounds, events(all)),
    eventsOf: all,
    isQuickToo: true,
    minutes: 60
  },
  {
    name: "first",
    does: "first questions of a process beside DuckDB",
    script: "First.ts",
    args: args(rounds, events(all), pick([], ["--only", "1,3,9"])),
    eventsOf: all,
    isQuickToo: true,
    minutes: 120
  },
  {
    name: "start",
    does: "start beside the first release, and memory",
    script: "Start.ts",
    args: args(rounds, events(all), pick([], ["--idle", "1", "--baseline", "no"])),
    eventsOf: all,
    isQuickToo: true,
    minutes: 90
  },
  {
    name: "pauses",
    does: "pauses of the server's thread",
    script: "Pauses.ts",
    args: args(rounds, events(capped(1e6)), seconds("10", "1")),
    eventsOf: capped(1e6),
    isQuickToo: true,
    minutes: 30
  },
  {
    name: "polls",
    does: "polls of games beside a bare server",
    script: "Polling.ts",
    args: args(rounds, seconds("2", "0.5")),
    eventsOf: none,
    isQuickToo: true,
    minutes: 20
  },
  {
    name: "streams",
    does: "open streams",
    script: "Polling.ts",
    args: () => ["--streams", "5000"],
    eventsOf: none,
    isQuickToo: false,
    minutes: 20
  },
  {
    name: "cohorts",
    does: "a cohort beside DuckDB",
    script: "Cohorts.ts",
    args: args(rounds, events(capped(1e6))),
    eventsOf: capped(1e6),
    isQuickToo: true,
    minutes: 20
  },
  {
    name: "attribution",
    does: "a funnel attributed to all values",
    script: "Attribution.ts",
    args: rounds,
    eventsOf: () => 240_000,
    isQuickToo: false,
    minutes: 20
  },
  {
    name: "growth",
    does: "exponents of growth",
    script: "Growth.ts",
    args: args(rounds, ({ sizes }) => ["--sizes", sizes]),
    eventsOf: ({ sizes }) => Math.max(...sizes.split(",").map(Number)),
    isQuickToo: true,
    minutes: 240
  },
  {
    name: "fairness",
    does: "what others notice of a studio that asks for all it may",
    script: "Fairness.ts",
    args: () => [],
    eventsOf: () => 200_000,
    isQuickToo: false,
    minutes: 60
  },
  {
    name: "overload",
    does: "ten times what the server can do",
    script: "Overload.ts",
    args: () => [],
    eventsOf: none,
    isQuickToo: false,
    minutes: 20
  },
  {
    name: "dashboard",
    does: "the dashboard beside a bare page",
    script: "Dashboard.ts",
    args: () => [],
    eventsOf: none,
    isQuickToo: false,
    minutes: 20
  }
]
