import { placeholder } from "./Known.ts"

const id = (name: string) => placeholder(name, 0)

const fortnight = { step: "day", relative: { step: "day", value: 14 } }
const spring = { step: "week", timezone: "Europe/Paris", from: "2026-03-01T00:00:00Z", to: "2026-06-01T00:00:00Z" }

export const level = [{ source: "argument", name: "level", operator: "greaterThan", value: 3 }]
const members = [{ source: "cohort", name: "cohort", operator: "isIn", value: [id("cohortId")] }]
const groups = [{ source: "experiment", name: "experiment", operator: "isNotIn", value: [id("groupId")] }]

export const insights = [
  { time: fortnight, metrics: [{ id: "A", data: { name: "Level", type: "totalEvents" } }] },
  {
    time: spring,
    metrics: [
      { id: "A", data: { name: ["Level", "Login"], type: "uniqueUsers", filters: level } },
      { id: "B", visible: false, data: { name: "Level", type: "percentile", argument: "level", percentile: 90 } },
      { id: "C", data: { type: "formula", formula: "A / (B + 1) * 100" } }
    ],
    breakdowns: [{ source: "property", name: "platform" }],
    options: { compare: "previousPeriod", cumulative: true, movingAverage: 3 }
  },
  {
    time: fortnight,
    metrics: [{ id: "A", data: { name: "Level", type: "wau" } }],
    filters: [...members, ...groups],
    match: "any",
    breakdowns: [{ source: "argument", name: "level" }],
    breakdownLimit: 2
  }
]

const steps = [
  { id: "1", name: "Login" },
  { id: "2", name: "Level", filters: level },
  { id: "3", name: "Purchase", optional: true }
]

export const funnels = [
  { time: fortnight, steps, conversionWindow: { step: "day", value: 7 }, options: { display: "overTime" } },
  {
    time: spring,
    steps: steps.slice(0, 2),
    conversionWindow: { step: "minute", value: 30 },
    order: "unordered",
    holdConstant: [{ source: "argument", name: "mode" }],
    exclusions: [{ name: "Logout", fromStep: 0, toStep: 1 }],
    breakdowns: [{ source: "property", name: "platform" }],
    breakdownAttribution: "all",
    filters: members
  }
]

export const retention = [
  { time: fortnight, start: { name: "Login" }, interval: "day", intervals: 7 },
  {
    time: spring,
    start: { name: "Login" },
    return: { name: ["Level", "Purchase"], filters: level },
    interval: "week",
    intervals: 4,
    startMode: "firstTime",
    window: "rolling24h",
    criterion: {
      brackets: [
        [1, 2],
        [3, 4]
      ]
    },
    breakdowns: [{ source: "experiment", name: id("experimentId") }]
  }
]

export const heatmapQueries = [
  {
    time: fortnight,
    metrics: [{ id: "A", data: { name: "Level", type: "totalEvents" } }],
    heatmapData: { id: id("heatmapId") },
    options: { display: "count" }
  },
  {
    time: fortnight,
    metrics: [{ id: "A", data: { name: "Level", type: "totalEvents" } }],
    heatmapData: { id: id("heatmapId"), y: [0, 20] },
    options: { display: "unique", cells: 32, points: "columns" }
  }
]
