import { Effect } from "effect"
import { connect, type Target } from "./Connection.ts"
import { inventoryOf } from "./Inventory.ts"
import { type ManagedKind, managedKinds } from "./ManagedKind.ts"
import { Naming, surroundings } from "./Naming.ts"
import { noneIfForbidden } from "./Refused.ts"

export interface ComparisonRequest {
  readonly target: Target
  readonly folder: string
  readonly kinds: ReadonlyArray<ManagedKind>
  readonly prune: boolean
  /** Whether pruning may leave nothing of a kind that has no file. */
  readonly pruneAll: boolean
  readonly reason: string
}

/** The server's objects of the kinds that are asked for, and the names of all that can be read. */
export const readServer = Effect.fnUntraced(function* ({ target, kinds, reason }: ComparisonRequest) {
  const connection = yield* connect(target)
  const { naming, experiments } = yield* surroundings(connection)
  const inventory = inventoryOf(connection, reason)
  const lists = yield* Effect.forEach(managedKinds, (kind) =>
    Effect.map(kinds.includes(kind) ? inventory[kind].list : noneIfForbidden(inventory[kind].list), (all) => {
      if (kind !== "boards" && kind !== "roles") naming.add(kind, all)
      const keys = Naming.keysOf(all)
      return all.map((each, index) => ({ kind, key: keys[index] ?? each.name, existing: each }))
    })
  )
  const objects = lists.flat().filter(({ kind }) => kinds.includes(kind))
  return { connection, naming, experiments, inventory, objects }
})

export type Server = Effect.Effect.Success<ReturnType<typeof readServer>>
