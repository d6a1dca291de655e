import { MemoryStores, SqliteStores } from "../../src/app/Layers.ts"

export const stores = [
  ["memory", MemoryStores],
  ["sqlite", SqliteStores]
] as const
