import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "clickhouse-"))
let double: ChildProcess | undefined

/** Starts the engines that the suites run over, once for all files. */
export const setup = async () => {
  const script = join(import.meta.dirname, "..", "support", "ClickHouse.ts")
  double = spawn(process.execPath, ["--import", "tsx", script, "0", folder], { stdio: ["ignore", "pipe", "inherit"] })
  const [port] = (await once(double.stdout!, "data")) as [Buffer]
  process.env["GAMEKEEPER_TEST_CLICKHOUSE"] = `http://127.0.0.1:${port.toString().trim()}`
}

export const teardown = async () => {
  double?.kill("SIGTERM")
  if (double !== undefined) await once(double, "exit")
  rmSync(folder, { recursive: true })
}
