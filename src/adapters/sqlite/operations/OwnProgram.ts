import { Effect } from "effect"
import { spawn } from "node:child_process"

/** Characters of what the command says that are kept. */
const longest = 4000

/** The command line of this program: the single executable is its own script. */
const program = (): ReadonlyArray<string> => {
  const [node = process.execPath, script = node] = process.argv
  return script === process.execPath ? [] : [script]
}

/** Runs a command of this program in a process of its own and answers what it said; fails with what it said. Interruption ends it. */
export const said = (args: ReadonlyArray<string>) =>
  Effect.async<string, string>((resume) => {
    const child = spawn(process.execPath, [...process.execArgv, ...program(), ...args], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    let words = ""
    const sentences = () => words.trim().replaceAll(/^gamekeeper: /gm, "")
    const listen = (chunk: Buffer) => {
      if (words.length < longest) words += chunk.toString()
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    child.once("error", (cause) => resume(Effect.fail(String(cause))))
    child.once("close", (code, signal) =>
      resume(
        code === 0
          ? Effect.succeed(sentences())
          : Effect.fail(
              `The command ${args[0]} failed: ${sentences() || (signal === null ? `exit code ${code}` : `${signal} ended it`)}`
            )
      )
    )
    return Effect.sync(() => void child.kill())
  })
