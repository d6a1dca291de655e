import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ClickHouseProcess, startClickHouse } from "../support/cluster/ClickHouseProcess.ts"

const folder = mkdtempSync(join(tmpdir(), "clickhouse-"))
let started: ClickHouseProcess | undefined

/** Starts the engines that the suites run over, once for all files. */
export const setup = async () => {
  started = await startClickHouse(folder)
  process.env["GAMEKEEPER_TEST_CLICKHOUSE"] = started.url
}

export const teardown = async () => {
  await started?.end("SIGTERM")
  rmSync(folder, { recursive: true })
}
