// How a server that npm has started learns that it is to stop.
import { execFile } from "node:child_process"

const lookEveryMilliseconds = 250

/** Ctrl-C reaches the server twice: from the terminal, and from npm, which passes it on. */
const repeatWithinMilliseconds = 1000

const exitCodes = { SIGINT: 130, SIGTERM: 143 }

let askedAt = null

/** Whether the words name no command: such a server ends well when it is stopped. */
const isServer = (words) =>
  words.every((word, at) => word === "serve" || word.startsWith("-") || words[at - 1]?.startsWith("--") === true)

/** Lets what runs end by itself at the first signal, and ends it at once when somebody asks again. */
const onSignal = (signal) => {
  const isRunning = process.listenerCount(signal) > 1
  const isRepeat = askedAt !== null && Date.now() - askedAt <= repeatWithinMilliseconds
  if (!isRunning && askedAt === null) process.exit(isServer(process.argv.slice(2)) ? 0 : exitCodes[signal])
  if (askedAt !== null && !isRepeat) process.exit(130)
  askedAt ??= Date.now()
}

/** Does what SIGTERM does, also on Windows, which has no signals. */
const stop = () => {
  if (askedAt === null) process.emit("SIGTERM", "SIGTERM")
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

const stopWhen = (isGone) => {
  const timer = setInterval(() => {
    if (!isGone()) return
    clearInterval(timer)
    stop()
  }, lookEveryMilliseconds)
  timer.unref()
}

/** On Windows a command shell stays between npm and the server, and outlives npm. */
const stopWhenParentOfIsGone = (shell) => {
  const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${shell}').ParentProcessId`
  execFile("powershell", ["-NoProfile", "-Command", query], { windowsHide: true }, (error, output) => {
    const npm = Number(output)
    if (error === null && npm > 0) stopWhen(() => !isAlive(npm))
  })
}

/**
 * Stops this process cleanly on SIGINT and SIGTERM, on Ctrl-Break and a closed console of Windows, and when the process that started it
 * is gone: npm, however it ended, or a parent with a channel.
 */
export const stopWithParent = () => {
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  if (process.platform === "win32") for (const signal of ["SIGHUP", "SIGBREAK"]) process.on(signal, stop)
  if (process.channel !== undefined) {
    process.on("disconnect", stop)
    process.channel.unref()
  }
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  stopWhen(() => process.ppid !== parent || !isAlive(parent))
  if (process.platform === "win32") stopWhenParentOfIsGone(parent)
}
