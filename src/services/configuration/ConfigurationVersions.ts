import { Effect, Option, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { ConfigurationDiff, RevertConfiguration } from "../../../schema/configuration/ConfigurationRecord.ts"
import type { ConfigurationVersionPage } from "../../../schema/configuration/Configurations.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { VersionNotFound } from "../../../schema/configuration/ConfigurationErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { diff as changesOf } from "../../domain/configuration/Diff.ts"
import { without } from "../../domain/configuration/Privacy.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { versionEntryOf, versionRecordOf } from "./ConfigurationView.ts"
import { ConfigurationWrite } from "./ConfigurationWrite.ts"
import { demandHash } from "./DemandHash.ts"
import { Policy } from "../access/Policy.ts"
import type { ApplicationWhere } from "../Where.ts"

const Cursor = Schema.NumberFromString.pipe(Schema.int(), Schema.positive())

const placeOf = (cursor: string | undefined) =>
  cursor === undefined
    ? Effect.succeed(null)
    : Effect.mapError(
        Schema.decode(Cursor)(cursor),
        () => new ValidationFailed({ message: "cursor: expected the nextCursor of the page before" })
      )

/** What configurations held before, and the way back. */
export class ConfigurationVersions extends Effect.Service<ConfigurationVersions>()(
  "services/configuration/ConfigurationVersions",
  {
    effect: Effect.gen(function* () {
      const configurations = yield* ConfigurationRepo
      const policy = yield* Policy
      const writing = yield* ConfigurationWrite

      const open = Effect.fnUntraced(function* (
        permission: "configurations:read" | "configurations:write",
        { applicationId, environmentId }: ApplicationWhere,
        id: ConfigurationId
      ) {
        const { environment } = yield* policy.environment(permission, applicationId, environmentId)
        return yield* writing.found(environment.id, id)
      })

      const existing = Effect.fnUntraced(function* (id: ConfigurationId, number: number) {
        const version = yield* configurations.version(id, number)
        if (Option.isSome(version)) return version.value
        return yield* Effect.fail(new VersionNotFound({ message: `Configuration ${id} has no version ${number}` }))
      })

      const list = Effect.fnUntraced(function* (
        where: ApplicationWhere,
        id: ConfigurationId,
        { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }
      ) {
        yield* open("configurations:read", where, id)
        const rows = yield* configurations.versions(id, yield* placeOf(cursor), limit + 1)
        const items = rows.slice(0, limit).map(versionEntryOf)
        const last = items.at(-1)
        const isMore = rows.length > items.length && last !== undefined
        return { items, nextCursor: isMore ? String(last.version) : null } satisfies ConfigurationVersionPage
      })

      const get = Effect.fnUntraced(function* (where: ApplicationWhere, id: ConfigurationId, number: number) {
        yield* open("configurations:read", where, id)
        return versionRecordOf(yield* existing(id, number))
      })

      const diff = Effect.fnUntraced(function* (
        where: ApplicationWhere,
        id: ConfigurationId,
        { from, to }: { readonly from: number; readonly to: number }
      ) {
        yield* open("configurations:read", where, id)
        const [before, after] = [yield* existing(id, from), yield* existing(id, to)]
        return {
          from,
          to,
          changes: changesOf(before.document, after.document),
          privacy: {
            added: without(after.privacy, before.privacy),
            removed: without(before.privacy, after.privacy)
          }
        } satisfies ConfigurationDiff
      })

      /** Document and private paths come back byte for byte; name, schema and the rest stay. */
      const revert = Effect.fnUntraced(function* (
        where: ApplicationWhere,
        id: ConfigurationId,
        { version: number, baseHash, reason = `Back to version ${number}` }: RevertConfiguration
      ) {
        const { environmentId } = yield* open("configurations:write", where, id)
        const by = userOf(yield* Principal)
        const reverted = yield* writing.edit(environmentId, id, (present) =>
          demandHash(present, baseHash).pipe(
            Effect.zipRight(existing(id, number)),
            Effect.map(({ document, privacy }) => ({ document, privacy, reason, by }))
          )
        )
        return reverted
      })

      return { list, get, diff, revert } as const
    })
  }
) {}
