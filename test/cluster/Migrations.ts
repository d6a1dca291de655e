import { fork } from "node:child_process"
import { once } from "node:events"
import { dirname } from "node:path"
import { bundled } from "../support/Workers.ts"

/** A data folder, and the addresses of the databases that it is brought into. */
export interface Bringing {
  readonly data: string
  readonly metadata: string
  readonly events: string
}

/** Brings a folder in a process of its own, which dies after some portions; answers how it ended and what it said. */
export const bringIn = async (bringing: Bringing, deathAfter: number | null) => {
  const given = [bringing, deathAfter].map((each) => JSON.stringify(each))
  // What it leaves behind goes with the test's own folder.
  const env = { ...process.env, TMPDIR: dirname(bringing.data) }
  const child = fork(bundled("MigrationChild"), given, { env })
  const said: Array<string> = []
  child.on("message", (text) => said.push(String(text)))
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null]
  return { ended: signal ?? code, said }
}
