import { Effect, Either } from "effect"
import { dataFilesIn, demandDataFolder } from "../../adapters/sqlite/DataFolder.ts"
import { accept } from "../../adapters/sqlite/operations/Accept.ts"
import { examine } from "../../adapters/sqlite/operations/Doctor.ts"
import { obstaclesIn } from "../../adapters/sqlite/operations/FolderChecks.ts"
import { eventFileId } from "../../adapters/sqlite/operations/FoundFiles.ts"
import { linesOf, repair } from "../../adapters/sqlite/salvage/Repair.ts"
import { isOnCluster } from "../Addresses.ts"
import type { Configuration } from "../Config.ts"

/** Tells the event file of a data folder from others; null where there is none. */
export const eventFileIn = (data: string) => Effect.flatMap(dataFilesIn(data), ({ events }) => eventFileId(events))

type Addresses = Pick<Configuration, "metadata" | "events">

const examineDatabases = (addresses: Addresses, deep: boolean) =>
  Effect.flatMap(
    Effect.promise(() => import("../ClusterDoctor.ts")),
    ({ examineCluster }) => examineCluster(addresses, deep)
  )

/** What is wrong and right with the stores, which are not changed; `deep` also checks every stored marker. */
export const diagnose = (configuration: Addresses & Pick<Configuration, "data" | "retentionDays">, deep: boolean) =>
  Effect.if(isOnCluster(configuration), {
    onTrue: () => examineDatabases(configuration, deep),
    onFalse: () => examine(configuration.data, deep, configuration.retentionDays)
  })

/** What keeps anybody from working on the data folder, such as that it is another one. */
export const obstacles = obstaclesIn

/** Goes on with the data folder as it is, where a start or the doctor asks a human first. */
export const acceptFiles = accept

/** Whether the stores are in a data folder that no server has ever had: most often it is mistyped. */
export const isNewFolder = (configuration: Addresses & Pick<Configuration, "data">) =>
  Effect.if(isOnCluster(configuration), {
    onTrue: () => Effect.succeed(false),
    onFalse: () => Effect.map(Effect.either(demandDataFolder(configuration.data)), Either.isLeft)
  })

/** Makes a new data folder of what can be read of a damaged one, which no server uses. */
export const repairFolder = repair

/** What a repair has lost, a line each. */
export const repairLines = linesOf
