import { DateTime, Effect } from "effect"
import {
  BackupNotFound,
  type BackupList,
  type BackupRunRecord,
  BackupRunning,
  BackupsUnavailable,
  BackupsUnreadable
} from "../../../schema/operations/Backups.ts"
import { BackupFolder, type KnownBackup } from "../../ports/operations/BackupFolder.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { ServerOwners } from "../access/ServerOwners.ts"
import { BackupRuns } from "./BackupRuns.ts"

const record = ({ id, instant, bytes, markers, version, isDamaged }: KnownBackup) => ({
  id,
  instant: DateTime.unsafeMake(instant),
  bytes,
  markers,
  version,
  state: isDamaged ? ("damaged" as const) : ("complete" as const)
})

/** Backups of the whole server, for the people who own it. */
export class Backups extends Effect.Service<Backups>()("services/operations/Backups", {
  effect: Effect.gen(function* () {
    const folder = yield* BackupFolder
    const owners = yield* ServerOwners
    const runs = yield* BackupRuns
    const { backupHours } = yield* Settings

    const known = Effect.mapError(folder.list, ({ message }) => new BackupsUnreadable({ message }))

    const demandFolder =
      folder.place === null ? Effect.fail(new BackupsUnavailable({ message: folder.refusal })) : Effect.void

    const begin = Effect.fnUntraced(function* (backupId: string | null, who: string) {
      const run = yield* runs.start(backupId)
      if (run === null) {
        return yield* Effect.fail(
          new BackupRunning({ message: "A backup or a drill runs already: wait until it has ended" })
        )
      }
      yield* Effect.logInfo(`The ${run.kind} was begun by user ${who}`)
      return run satisfies BackupRunRecord
    })

    const list = Effect.fnUntraced(function* () {
      yield* owners.caller()
      const items = (yield* known).toReversed().map(record)
      const [running, last] = yield* Effect.all([runs.running, runs.last])
      return { place: folder.place, everyHours: backupHours, running, last, items } satisfies BackupList
    })

    const create = Effect.fnUntraced(function* () {
      const { id } = yield* owners.caller()
      yield* demandFolder
      return yield* begin(null, id)
    })

    const drill = Effect.fnUntraced(function* (backupId: string) {
      const { id } = yield* owners.caller()
      yield* demandFolder
      const isThere = (yield* known).some((backup) => backup.id === backupId)
      if (!isThere)
        return yield* Effect.fail(
          new BackupNotFound({ message: `There is no backup ${backupId} of this installation` })
        )
      return yield* begin(backupId, id)
    })

    return { list, create, drill } as const
  })
}) {}
