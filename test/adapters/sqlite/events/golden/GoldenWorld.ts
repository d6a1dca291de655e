import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { cohortMembersMemory } from "../../../../../src/adapters/memory/cohorts/CohortMembers.ts"
import { membershipsOf, StoredEnvironments } from "../../../../../src/adapters/memory/cohorts/CohortStay.ts"
import type { StoredEvent } from "../../../../../src/domain/analytics/markers/Event.ts"
import type { CohortId } from "../../../../../src/domain/Ids.ts"

const folder = join(import.meta.dirname, "..", "..", "..", "..", "fixtures", "events")

export const formats = [1, 2, 3, 4, 5, 6, 7, 8] as const

export const answersPath = join(folder, "answers.json")

export interface Generation {
  readonly environmentId: number
  readonly cohortId: CohortId
  readonly at: number
  readonly unitIds: ReadonlyArray<string>
  readonly interrupted?: boolean
}

interface World {
  readonly generations: ReadonlyArray<Generation>
  readonly erased: { readonly environmentId: number; readonly unitId: string; readonly sessionId: string }
  /** By environment, in order of receipt. */
  readonly markers: Readonly<Record<string, ReadonlyArray<StoredEvent>>>
}

/** What the golden files hold. */
export const world: World = JSON.parse(gunzipSync(readFileSync(join(folder, "world.json.gz"))).toString())

export const environments: ReadonlyArray<number> = Object.keys(world.markers).map(Number)

/** The environment in which every marker that was ever sealed is still there. */
export const isWhole = (environmentId: number): boolean => environmentId !== world.erased.environmentId

/** Members come into being when the build that wrote the file knew cohorts: from format 2 on. */
export const generations = world.generations.filter(({ interrupted }) => interrupted !== true)

/** The memory store with the same markers and members. */
export const memory = () => {
  const stores = new StoredEnvironments()
  for (const environmentId of environments) {
    const store = stores.of(environmentId)
    store.events.push(...world.markers[environmentId]!)
  }
  const members = cohortMembersMemory(stores)
  for (const { environmentId, cohortId, at, unitIds } of generations)
    Effect.runSync(
      members.replace(
        environmentId,
        cohortId,
        unitIds.filter((unitId) => unitId !== world.erased.unitId),
        at
      )
    )
  return { members, memberships: (environmentId: number) => membershipsOf(stores.of(environmentId)) }
}

/** A copy of the golden file of a format, to be removed. */
export const goldenCopy = (format: number): { readonly file: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "golden-"))
  const file = join(path, "events.sqlite")
  writeFileSync(file, gunzipSync(readFileSync(join(folder, `format-${format}.sqlite.gz`))))
  return { file, remove: () => rmSync(path, { recursive: true }) }
}
