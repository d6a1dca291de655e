import { Effect, Layer } from "effect"
import type { Configuration } from "./Config.ts"
import { FolderStores } from "./Layers.ts"
import { isOnCluster } from "./Addresses.ts"

const onCluster = (configuration: Configuration) =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("./ClusterStores.ts")),
      ({ ClusterStores }) => ClusterStores(configuration)
    )
  )

type ClusterStores = ReturnType<typeof onCluster>
type FolderStores = ReturnType<typeof FolderStores>

/**
 * The stores that the configuration names. The drivers of PostgreSQL and ClickHouse are loaded only where they are named. What is not needed
 * before requests are answered waits for `listening`, or for its first use where nothing listens.
 */
export const Stores = (configuration: Configuration, listening?: Effect.Effect<void>) =>
  Layer.unwrapEffect(
    Effect.map(
      isOnCluster(configuration),
      (
        isShared
      ): Layer.Layer<
        Layer.Layer.Success<ClusterStores>,
        Layer.Layer.Error<ClusterStores | FolderStores>,
        Layer.Layer.Context<ClusterStores | FolderStores>
      > => (isShared ? onCluster(configuration) : FolderStores(configuration, undefined, listening))
    )
  )
