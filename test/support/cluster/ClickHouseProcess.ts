import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

/** ClickHouse over HTTP, in a process of its own. */
export interface ClickHouseProcess {
  readonly url: string
  /** Has the process stand still as a machine does that hangs, or go on. */
  readonly send: (signal: "SIGSTOP" | "SIGCONT") => void
  /** Ends the process and waits until it is gone. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<void>
}

const script = join(import.meta.dirname, "ClickHouse.ts")

/** Starts ClickHouse on a folder, which keeps what it stored; port 0 is any free one. */
export const startClickHouse = async (folder: string, port = "0"): Promise<ClickHouseProcess> => {
  const child = spawn(process.execPath, ["--import", "tsx", script, port, folder], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  const [text] = (await Promise.race([once(child.stdout, "data"), ended])) as [unknown]
  if (!Buffer.isBuffer(text)) throw new Error("ClickHouse did not start: is test/cluster installed?")
  return {
    url: `http://127.0.0.1:${text.toString().trim()}`,
    send: (signal) => void child.kill(signal),
    end: async (signal) => {
      child.kill(signal)
      await ended
    }
  }
}
