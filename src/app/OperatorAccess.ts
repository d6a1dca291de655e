import { FileSystem } from "@effect/platform"
import { Effect, Layer } from "effect"
import { TurnsLocal } from "../adapters/local/Turns.ts"
import { Scrypt } from "../adapters/node/Scrypt.ts"
import { SecretsNode } from "../adapters/node/Secrets.ts"
import { PasswordStrengthNode } from "../adapters/node/PasswordStrength.ts"
import { MetadataBesideServer } from "../adapters/sqlite/BesideServer.ts"
import { dataFilesIn, DataFolderUnusable, isFolderInUse } from "../adapters/sqlite/DataFolder.ts"
import { isOnCluster } from "./Addresses.ts"
import type { Configuration } from "./Config.ts"
import { OperatorsLive, SettingsLive } from "./Layers.ts"
import { Offline } from "./Serve.ts"
import { passwordWorker } from "./Workers.ts"

/** Beside the server that has the folder. Several processes share PostgreSQL anyway. */
const isBesideServer = Effect.fnUntraced(function* (configuration: Configuration) {
  return !(yield* isOnCluster(configuration)) && (yield* isFolderInUse(configuration.data))
})

const BesideServer = (configuration: Configuration) =>
  Layer.unwrapEffect(
    Effect.map(dataFilesIn(configuration.data), ({ metadata }) =>
      OperatorsLive.pipe(
        Layer.provide(MetadataBesideServer(metadata)),
        Layer.provide(SettingsLive(configuration)),
        // Nobody else acts under these names: what a command notes, it notes in one transaction.
        Layer.provide(TurnsLocal),
        Layer.provide(Layer.mergeAll(SecretsNode, Scrypt(), PasswordStrengthNode(passwordWorker)))
      )
    )
  )

/** Fails where no server has ever had the data folder: whoever looks for a person in it has mistyped it. */
export const demandDataFolder = Effect.fnUntraced(function* (configuration: Configuration) {
  if (yield* isOnCluster(configuration)) return
  const files = yield* FileSystem.FileSystem
  const { metadata } = yield* dataFilesIn(configuration.data)
  if (yield* files.exists(metadata)) return
  return yield* new DataFolderUnusable({
    message: `There is no data folder ${configuration.data}: --data names that of the server`
  })
})

/** What the operator does to people, whether or not a server runs; `isBeside` tells which. */
export const operatorAccess = Effect.fnUntraced(function* (configuration: Configuration) {
  const isBeside = yield* isBesideServer(configuration)
  return { isBeside, people: isBeside ? BesideServer(configuration) : Offline(configuration) }
})
