import { Effect, Layer } from "effect"
import type { Configuration } from "../Config.ts"
import { type BesideOpening, FolderStores } from "./FolderStores.ts"
import { isOnCluster } from "../Addresses.ts"

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
 * The stores that the configuration names. The drivers of PostgreSQL and ClickHouse are loaded only where they are named.
 */
export const Stores = (configuration: Configuration, beside?: BesideOpening) =>
  Layer.unwrapEffect(
    Effect.map(
      isOnCluster(configuration),
      (
        isShared
      ): Layer.Layer<
        Layer.Layer.Success<ClusterStores>,
        Layer.Layer.Error<ClusterStores | FolderStores>,
        Layer.Layer.Context<ClusterStores | FolderStores>
      > => (isShared ? onCluster(configuration) : FolderStores(configuration, undefined, beside))
    )
  )
