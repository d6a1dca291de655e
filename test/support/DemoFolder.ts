import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root, startServer } from "./Server.ts"

const cache = join(root, "node_modules", ".cache")
const prefix = "gamekeeper-demo-"

/** A folder is good for the build that has played it, on the day on which it was played. */
const nameOfToday = (): string => {
  const hash = createHash("sha256")
  const built = join(root, "dist")
  for (const file of readdirSync(built).filter((name) => name.endsWith(".mjs")))
    hash.update(readFileSync(join(built, file)))
  return `${prefix}${new Date().toISOString().slice(0, 10)}-${hash.digest("hex").slice(0, 16)}`
}

const isThere = (folder: string): boolean => existsSync(join(folder, "events.sqlite"))

/** A machine that is very busy makes the server refuse a schema that it takes too long to check; then the demo is played anew. */
const mostTries = 5

/** Plays the whole demo into the folder. A part that cannot be played is a line in the server's log. */
const play = async (folder: string, tries = 1): Promise<void> => {
  const server = await startServer(folder, ["--demo"])
  const { code, out, err } = await server.stop()
  if (code === 0 && !`${out}${err}`.includes("cannot be played")) return
  rmSync(folder, { recursive: true, force: true })
  if (tries === mostTries) throw new Error(`The demo studio cannot be played: ${out}${err}`)
  return play(folder, tries + 1)
}

/** Test files run side by side: each that finds none plays for itself, and the first to finish keeps what it has. */
const played = async (): Promise<string> => {
  const name = nameOfToday()
  const home = join(cache, name)
  if (isThere(home)) return home
  mkdirSync(cache, { recursive: true })
  const draft = `${home}.${process.pid}`
  await play(draft)
  for (const other of readdirSync(cache)) {
    if (other.startsWith(prefix) && !other.startsWith(name))
      rmSync(join(cache, other), { recursive: true, force: true })
  }
  try {
    renameSync(draft, home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!isThere(home)) throw error
  }
  return home
}

/**
 * Puts a demo studio into the folder, which a server with `--demo` goes on with. It is played once: to play it anew for every file of tests
 * takes longer than most of them.
 */
export const copyDemo = async (folder: string): Promise<void> => {
  cpSync(await played(), folder, { recursive: true })
}
