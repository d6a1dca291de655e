import { NodeContext } from "@effect/platform-node"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { defaults } from "../../src/app/Config.ts"
import { FolderStores } from "../../src/app/stores/FolderStores.ts"
import { metadataWorkers, threads } from "./Workers.ts"

export const dataFiles = ["metadata.sqlite", "events.sqlite"] as const

export type DataFile = (typeof dataFiles)[number]

/** Everything in a data folder, as a server has it that listens. */
export const folderStores = (data: string) =>
  FolderStores({ ...defaults, data }, { threads, metadata: metadataWorkers }, { firstReaderAfter: Effect.void }).pipe(
    Layer.provide(NodeContext.layer)
  )

/** Copies one file as it is right now, while a server writes it. */
export const copyFile = (file: DataFile, from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  const database = new Database(join(from, file), { readonly: true })
  database.prepare("vacuum into ?").run(join(to, file))
  database.close()
}
