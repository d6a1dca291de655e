import { atLeast, atMost, below, type Row, row, type Subject } from "./Row.ts"

const sorted = "DuckDB, sorted by environment, type and time"
const arrival = "DuckDB, in order of arrival"
const clickHouse = "ClickHouse (chDB), same order, its own functions"
const firstRelease = "the first release, on the same markers"

/** What the product promises itself: each is a line of the first table, measured or not. Ratios are above 1 where it is the faster one, unless they say time. */
export const mustHold = {
  "http.ingest": {
    what: "Markers taken in over HTTP, 100 a request, 16 connections",
    peer: "node:http + JSON.parse + better-sqlite3",
    unit: "",
    aim: atLeast(0.8)
  },
  "store.ingest": {
    what: "Markers into the store, batches of 1,000",
    peer: "DuckDB's appender",
    unit: "",
    aim: atLeast(1.5)
  },
  "evaluate.first": {
    what: "First evaluation of each player",
    peer: "node:http, one better-sqlite3 upsert in group commit",
    unit: "",
    aim: atLeast(0.5)
  },
  "evaluate.later": {
    what: "Later evaluations",
    peer: "node:http, one better-sqlite3 point read",
    unit: "",
    aim: atLeast(0.9)
  },
  "evaluate.bulk": {
    what: "Evaluation of 250 players in one request",
    peer: "node:http, 250 point reads in one request",
    unit: "",
    aim: atLeast(0.3)
  },
  "questions.sorted.mean": { what: "14 questions, warm: geometric mean", peer: sorted, unit: "", aim: atLeast(10) },
  "questions.sorted.least": { what: "14 questions, warm: the least", peer: sorted, unit: "", aim: atLeast(3) },
  "questions.arrival.mean": { what: "14 questions, warm: geometric mean", peer: arrival, unit: "", aim: atLeast(14) },
  "questions.clickHouse.mean": {
    what: "14 questions, warm: geometric mean",
    peer: clickHouse,
    unit: "",
    aim: atLeast(8)
  },
  "questions.clickHouse.least": {
    what: "14 questions, warm: the least",
    peer: clickHouse,
    unit: "",
    aim: atLeast(1.5)
  },
  "questions.funnel": {
    what: "Funnel of 5 steps over 60 days, with times to convert",
    peer: "ClickHouse's windowFunnel, counts alone",
    unit: "",
    aim: atLeast(1.5)
  },
  "first.mean": {
    what: "Time of the first question of a process: geometric mean of 14",
    peer: sorted,
    unit: "",
    aim: atMost(0.6)
  },
  "first.most": {
    what: "Time of the first question of a process: the most",
    peer: sorted,
    unit: "",
    aim: atMost(1.5)
  },
  "start.request": {
    what: "Time from the start to the first answered request",
    peer: firstRelease,
    unit: "",
    aim: below(0.7)
  },
  "start.question": {
    what: "Time from the start to the first answered question",
    peer: firstRelease,
    unit: "",
    aim: below(0.7)
  },
  "pauses.p99": {
    what: "Pauses of the server's thread while it takes in, seals and answers: 99 % within",
    peer: "",
    unit: "ms",
    aim: below(20)
  },
  "pauses.longest": {
    what: "Pauses of the server's thread while it takes in, seals and answers: the longest",
    peer: "",
    unit: "ms",
    aim: below(50)
  },
  "bytes.past": { what: "Disk for a marker past the dedupe window", peer: "", unit: "bytes", aim: atMost(18) },
  "bytes.within": { what: "Disk for a marker within the dedupe window", peer: "", unit: "bytes", aim: atMost(36) },
  "memory.idle": {
    what: "Memory after a minute of nothing to do, the dashboard served",
    peer: "",
    unit: "MB",
    aim: below(150)
  },
  "memory.questions": {
    what: "Memory that the heaviest questions take on top at most, with --analytics-memory-mb 256",
    peer: "",
    unit: "MB",
    aim: atMost(256)
  }
} as const satisfies Readonly<Record<string, Subject>>

export type MustHold = keyof typeof mustHold

/** The row of what must hold: the median of the rounds, unless another value is given. */
export const held = (
  id: MustHold,
  rounds: ReadonlyArray<number>,
  more: Partial<Pick<Row, "value" | "note">> = {}
): Row => row(id, mustHold[id], rounds, more)
