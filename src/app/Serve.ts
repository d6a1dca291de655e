import { Layer } from "effect"
import type { Configuration } from "./Config.ts"
import { FolderStores, Http, Node, SettingsLive } from "./Layers.ts"
import { Listen, RouterConfig } from "./Server.ts"

/** The whole server over the data folder. */
export const Serve = (configuration: Configuration) =>
  Listen(configuration.host, configuration.port).pipe(
    Layer.provide(Http),
    Layer.provide(FolderStores(configuration)),
    Layer.provide(SettingsLive(configuration)),
    Layer.provide(Node),
    Layer.provide(RouterConfig)
  )
