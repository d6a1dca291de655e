import { Effect, Layer } from "effect"
import { SetAsideData } from "../../services/operations/SetAsideData.ts"
import { type Configuration, defaults } from "../Config.ts"
import { Operations, SettingsLive } from "../Layers.ts"
import { Mailing } from "../Mailing.ts"
import { Node } from "../ProcessAdapters.ts"
import { SigningOn } from "../SingleSignOn.ts"
import { Stores } from "../Stores.ts"

export { Imports } from "../../services/ingest/Imports.ts"

/** What the process brings along, and the other servers that it speaks to. */
export const ProcessOf = (configuration: Configuration) =>
  Layer.mergeAll(Node, Mailing(configuration), SigningOn(configuration))

/** What commands use over the stores: over the data folder while no server runs. */
export const Offline = (configuration: Configuration) =>
  Operations.pipe(
    Layer.provideMerge(Stores({ ...configuration, warmUp: false })),
    Layer.provideMerge(SettingsLive(configuration)),
    Layer.provide(ProcessOf(configuration))
  )

/** Deletes what starts have set aside, while no server runs; answers what was done, in plain words. */
export const deleteSetAside = (data: string) =>
  Effect.flatMap(SetAsideData, ({ remove }) => remove()).pipe(
    Effect.provide(SetAsideData.Default.pipe(Layer.provide(Offline({ ...defaults, data })))),
    Effect.map((removed) => {
      const names = removed.map(({ kind, id }) => `${kind} ${id}`)
      return names.length === 0 ? "Nothing is set aside" : `Deleted for ever: ${names.join(", ")}`
    })
  )
