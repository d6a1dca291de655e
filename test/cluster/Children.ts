import { fork } from "node:child_process"
import { once } from "node:events"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { everyMarker as firstMarkers } from "../support/analytics/EveryMarker.ts"
import type { Databases } from "../support/cluster/SharedDatabases.ts"
import { bundled } from "../support/Workers.ts"

export const environment = EnvironmentId.make(1)
export const receivedAt = Date.UTC(2026, 2, 1, 12)

/** Where a process that moves markers to ClickHouse may die. */
export const crashPoints = ["before marker", "after marker", "after catalogue", "after check"] as const

/** Where one that removes markers may die besides. */
export const removalPoints = [...crashPoints, "before deletion", "after deletion"] as const
export type CrashPoint = (typeof removalPoints)[number]

export type Task =
  | { readonly do: "move" }
  | { readonly do: "erase"; readonly unitId: string }
  | { readonly do: "drop" }
  /** Appends `count` markers from each of the numbers on. */
  | { readonly do: "append"; readonly starts: ReadonlyArray<number>; readonly count: number }

export const sentMarker = (number: number): Event => ({
  markerId: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  type: `Type${number % 3}`,
  unitId: `u${number % 97}`,
  sessionId: null,
  serverId: null,
  timestamp: receivedAt + number,
  receivedAt,
  clamped: false,
  arguments: { number },
  properties: {},
  position: null
})

export const everyMarker = { ...firstMarkers, plan: { ...firstMarkers.plan, limit: 1_000_000 } } as const

/** What a process said was stored: markers from a number on. */
export interface Said {
  readonly start: number
  readonly count: number
  readonly duplicates: number
}

/** A process of its own over the databases. `heard` gets what it says was stored, and may kill it. */
export const childOf = (
  databases: Databases,
  task: Task,
  crashPoint: CrashPoint | null = null,
  heard: (said: Said, kill: () => void) => void = () => undefined
): Promise<number | string> => {
  const given = [databases, task, crashPoint].map((each) => JSON.stringify(each))
  const child = fork(bundled("Child"), given)
  child.on("message", (said: Said) => heard(said, () => child.kill("SIGKILL")))
  return once(child, "exit").then(([code, signal]) => signal ?? code)
}
