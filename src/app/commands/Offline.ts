import { Effect, Layer } from "effect"
import { NewPasswords } from "../../services/access/passwords/NewPasswords.ts"
import { Imports } from "../../services/ingest/Imports.ts"
import { Operators } from "../../services/operations/Operators.ts"
import { SetAsideData } from "../../services/operations/SetAsideData.ts"
import { type Configuration, defaults } from "../Config.ts"
import { ProcessOf } from "../ProcessAdapters.ts"
import { SettingsLive } from "../SettingsLive.ts"
import { Shared } from "../SharedServices.ts"
import { Stores } from "../stores/Stores.ts"

export { Imports }

/** What commands do, over the stores. */
export const Operations = Imports.Default.pipe(
  Layer.provideMerge(Operators.Default),
  Layer.provideMerge(NewPasswords.Default),
  Layer.provide(Shared)
)

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
