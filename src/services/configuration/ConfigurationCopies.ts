import { Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { CopyConfiguration } from "../../../schema/configuration/ConfigurationRecord.ts"
import { LinkInvalid } from "../../../schema/configuration/ConfigurationErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import { copyName } from "../../domain/configuration/CopyName.ts"
import type { Document } from "../../domain/configuration/Document.ts"
import { isObject } from "../../domain/configuration/Document.ts"
import { retarget, targets } from "../../domain/configuration/Link.ts"
import type { ConfigurationId, EnvironmentId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { CheckedWrites } from "./CheckedWrites.ts"
import { ConfigurationWrite } from "./ConfigurationWrite.ts"
import { Policy } from "../access/Policy.ts"
import type { ApplicationWhere } from "../Where.ts"

/** Copies of configurations, also from one environment to another. */
export class ConfigurationCopies extends Effect.Service<ConfigurationCopies>()(
  "services/configuration/ConfigurationCopies",
  {
    effect: Effect.gen(function* () {
      const configurations = yield* ConfigurationRepo
      const policy = yield* Policy
      const writes = yield* CheckedWrites
      const writing = yield* ConfigurationWrite

      /** What the linked configurations are in the other environment: those of the same names there. */
      const namesakes = Effect.fnUntraced(function* (source: Configuration, environmentId: EnvironmentId) {
        const found = new Map<ConfigurationId, ConfigurationId>()
        for (const id of targets(source.document)) {
          if (id === source.id) continue
          const { name } = yield* writing.found(source.environmentId, id)
          const namesake = yield* configurations.findByNameOrAlias(environmentId, name)
          if (Option.isNone(namesake)) {
            const message = `configuration: links to ${name}, which environment ${environmentId} lacks: copy that one first`
            return yield* Effect.fail(new LinkInvalid({ message }))
          }
          found.set(id, namesake.value.id)
        }
        return found
      })

      /** Links stay as they are within an environment; across environments they turn to the namesakes, and to the copy itself. */
      const documentFor = Effect.fnUntraced(function* (source: Configuration, environmentId: EnvironmentId) {
        if (environmentId === source.environmentId) return () => source.document
        const there = yield* namesakes(source, environmentId)
        return (copy: ConfigurationId): Document => {
          const turned = retarget(source.document, (id) => there.get(id) ?? copy)
          return isObject(turned) ? turned : source.document
        }
      })

      const checked = Effect.fnUntraced(function* (
        source: Configuration,
        environmentId: EnvironmentId,
        wanted: string | undefined
      ) {
        const isAway = environmentId !== source.environmentId
        const present = yield* configurations.summaries(environmentId)
        const taken = new Set(present.flatMap(({ name, alias }) => (alias === null ? [name] : [name, alias])))
        const name = wanted ?? copyName(source.name, taken, isAway)
        yield* writing.demandFree(environmentId, [name], null)
        const { id: from, applicationId, alias, description, privacy, schema, keyDescriptions } = source
        const draft = {
          applicationId,
          environmentId,
          name,
          description,
          privacy,
          schema,
          keyDescriptions,
          alias: isAway && alias !== null && !taken.has(alias) ? alias : null,
          reason: `Copy of configuration ${from}`,
          by: userOf(yield* Principal)
        }
        return yield* writing.checkNew(draft, yield* documentFor(source, environmentId))
      })

      const copy = Effect.fnUntraced(function* (
        where: ApplicationWhere,
        id: ConfigurationId,
        request: CopyConfiguration
      ) {
        const { environment } = yield* policy.environment(
          "configurations:write",
          where.applicationId,
          where.environmentId
        )
        const there = request?.environmentId ?? environment.id
        if (there !== environment.id) yield* policy.environment("configurations:write", where.applicationId, there)
        const sound = Effect.flatMap(writing.found(environment.id, id), (source) =>
          checked(source, there, request?.name)
        )
        const created = yield* writes.run([environment.id, there], sound, writing.create, writing.announce)
        return created
      })

      return { copy } as const
    })
  }
) {}
