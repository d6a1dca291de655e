import { Effect, Layer } from "effect"
import { Demo } from "../../services/demo/Demo.ts"
import { Backups } from "../Backups.ts"
import type { Configuration } from "../Config.ts"
import { announceDemo, DemoServices } from "../demo/DemoStudio.ts"
import { ProcessOf } from "../ProcessAdapters.ts"
import { SettingsLive } from "../SettingsLive.ts"
import { Stores } from "../stores/Stores.ts"

const OfflineDemo = (configuration: Configuration) =>
  DemoServices.pipe(
    Layer.provide(Backups(configuration)),
    Layer.provide(Stores({ ...configuration, warmUp: false })),
    Layer.provide(SettingsLive(configuration)),
    Layer.provide(ProcessOf(configuration))
  )

/** Plays the demo studio over the data folder while no server runs. */
export const playOffline = (configuration: Configuration) =>
  announceDemo.pipe(
    Effect.zipRight(Effect.flatMap(Demo, (demo) => demo.goOn())),
    Effect.provide(OfflineDemo(configuration))
  )
