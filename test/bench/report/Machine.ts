import { version as duckVersion } from "@duckdb/node-api"
import Database from "better-sqlite3"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { arch, availableParallelism, cpus, release, tmpdir, totalmem, type } from "node:os"
import { join } from "node:path"
import { root } from "../../support/Server.ts"
import { isChdbThere, openChdb } from "../Chdb.ts"

/** What the figures depend on: name and text. */
export type Machine = ReadonlyArray<readonly [name: string, text: string]>

const packageVersion = (path: string): string =>
  JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")).version

const sqliteVersion = (): string => {
  const db = new Database(":memory:")
  const version = String(db.prepare("select sqlite_version()").pluck().get())
  db.close()
  return version
}

const clickHouse = (): string => {
  if (!isChdbThere()) return "not installed"
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-bench-version-"))
  const chdb = openChdb(folder)
  const version = chdb.query("select version()", "TabSeparated").trim()
  chdb.close()
  rmSync(folder, { recursive: true, force: true })
  return `chDB ${packageVersion("test/cluster/node_modules/chdb")}, ClickHouse ${version}`
}

/** The commit that is measured, and whether files differ from it. */
export const commit = (): string => {
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
  try {
    // The figures themselves are written between one benchmark and the next.
    const measured = ["src", "schema", "test/bench", ":(exclude)test/bench/results.json"]
    const changed = git("status", "--porcelain", "--", ...measured) === "" ? "" : ", with changes"
    return `${git("rev-parse", "--short", "HEAD")}${changed}`
  } catch {
    return "unknown"
  }
}

export const machine = (): Machine => [
  ["processor", cpus()[0]?.model.trim() ?? "unknown"],
  ["cores", String(availableParallelism())],
  ["memory", `${(totalmem() / 2 ** 30).toFixed(0)} GiB`],
  ["system", `${type()} ${release()} ${arch()}`],
  ["Node", process.version.slice(1)],
  ["DuckDB", duckVersion().replace(/^v/, "")],
  ["ClickHouse", clickHouse()],
  ["SQLite", `better-sqlite3 ${packageVersion("node_modules/better-sqlite3")}, SQLite ${sqliteVersion()}`]
]
