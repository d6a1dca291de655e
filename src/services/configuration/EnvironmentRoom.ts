import { Effect, Either, Option } from "effect"
import type { Configuration } from "../../domain/configuration/Configuration.ts"
import { resolve } from "../../domain/configuration/Links.ts"
import {
  besideBytes,
  fixedBytes,
  jsonBytes,
  maxEnvironmentBytes,
  maxResolvedBytes
} from "../../domain/configuration/Size.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"

type Several = ReadonlyArray<Configuration>

/** All that these configurations link to, and they themselves. */
type Gather = (these: Several) => Effect.Effect<ReadonlyMap<ConfigurationId, Configuration>>

/**
 * Whether the configurations of an environment stay within what is delivered at once. Each may link to large ones, so that few bytes that are
 * stored are many that games get.
 */
export const environmentRoom = (gather: Gather) =>
  Effect.map(ConfigurationRepo, (configurations) => {
    /** Bytes of these as they are delivered, counted no further than one that exceeds `most`. */
    const delivered = Effect.fnUntraced(function* (these: Several, most = Infinity) {
      const known = yield* gather(these)
      let bytes = 0
      for (const each of these) {
        if (bytes > most) break
        yield* nextTurn
        const resolved = resolve(each.document, (id) => known.get(id), "server")
        yield* nextTurn
        bytes += fixedBytes + besideBytes(each) + jsonBytes(Either.getOrElse(resolved, () => each.document))
      }
      return bytes
    })

    const find = ({ environmentId, id }: Configuration) =>
      Effect.map(configurations.find(environmentId, id), Option.toArray)

    /**
     * `next` is to be written; `above` are those that hold it, directly or through others. They will have `after` bytes as they are delivered,
     * `fixedBytes` of each included. What takes no more than before always has room.
     */
    return Effect.fnUntraced(function* (next: Configuration, above: Several, after: number) {
      const changed = new Set([next.id, ...above.map(({ id }) => id)])
      const others = (yield* configurations.sizes(next.environmentId)).filter(({ id }) => !changed.has(id))
      const linking = others.filter(({ hasLinks }) => hasLinks)
      const storedOf = (these: typeof others) =>
        these.reduce((sum, each) => sum + each.bytes + each.besideBytes + fixedBytes, 0)
      const asStored = storedOf(others)
      if (asStored + linking.length * maxResolvedBytes + after <= maxEnvironmentBytes) return true
      const stored = storedOf(linking)
      const left = maxEnvironmentBytes - after - (asStored - stored)
      if (stored <= left) {
        const these = yield* Effect.forEach(linking, ({ id }) => find({ ...next, id }))
        if ((yield* delivered(these.flat(), left)) <= left) return true
      }
      const before = yield* find(next)
      return before.length > 0 && after <= (yield* delivered([...before, ...above]))
    })
  })
