import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"
import { Memory } from "../adapters/memory/Memory.ts"
import { ScryptLive } from "../adapters/node/Scrypt.ts"
import { SecretsNode } from "../adapters/node/Secrets.ts"
import { acquireDataFolder } from "../adapters/sqlite/DataFolder.ts"
import { SqliteMetadata } from "../adapters/sqlite/Sqlite.ts"
import { AuthenticateLive } from "../http/middleware/Authenticate.ts"
import { RequestsLive } from "../http/middleware/Requests.ts"
import { SystemHttp } from "../http/System.ts"
import { Settings } from "../ports/Settings.ts"
import { Credentials } from "../services/Credentials.ts"
import { Policy } from "../services/Policy.ts"
import { System } from "../services/System.ts"
import type { Configuration } from "./Config.ts"
import { settingsOf } from "./Config.ts"

export const SettingsLive = (configuration: Configuration) => Layer.succeed(Settings, settingsOf(configuration))

/** Everything in memory: for tests, gone with the process. */
export const MemoryStores = Memory

/** Everything in the data folder, which this process holds until the layer's scope closes. */
export const FolderStores = (configuration: Configuration) =>
  Layer.unwrapScoped(Effect.map(acquireDataFolder(configuration.data), ({ metadata }) => SqliteMetadata(metadata)))

/** Everything in SQLite without a folder: for tests. */
export const SqliteStores = SqliteMetadata(":memory:")

export const Node = Layer.mergeAll(SecretsNode, ScryptLive)

const Services = Layer.mergeAll(Credentials.Default, System.Default).pipe(Layer.provideMerge(Policy.Default))

const Handlers = Layer.mergeAll(SystemHttp)

/** The HTTP API over whatever stores, settings and secrets it is given. */
export const Http = Layer.mergeAll(HttpApiBuilder.api(Api).pipe(Layer.provide(Handlers)), RequestsLive).pipe(
  Layer.provide(AuthenticateLive),
  Layer.provide(Services)
)
