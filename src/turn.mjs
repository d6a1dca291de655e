// One command at a time installs and builds in a clone: a second `npm` that clears node_modules under the first breaks both.
import { readFileSync, rmSync, statSync, utimes, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

/** How often the holder shows that it is alive, and those who wait look, in milliseconds. */
const interval = 200

/** After how many looks without a sign of life the holder counts as gone, although a process has its number. */
const patience = 150

/** Whether the process with this number is running. */
const isRunning = (number) => {
  try {
    return process.kill(number, 0)
  } catch (error) {
    // The process of another user is running, but may not be signalled.
    return error.code === "EPERM"
  }
}

/** Writes the number of this process into the file unless the file exists; whether it did. Ends the process where it cannot be written. */
const isTaken = (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (error.code === "EEXIST") return false
    console.error(
      `gamekeeper: npm installs and builds in ${dirname(file)}, where this user cannot write (${error.code}): run it as the user whose folder it is. What is built there already starts without npm: node src/start.mjs`
    )
    return process.exit(1)
  }
}

/** The process that holds the file, and when it last showed that it is alive; undefined where the file is gone by now. */
const holderOf = (file) => {
  try {
    return { process: Number(readFileSync(file, "utf8")), seen: statSync(file).mtimeMs }
  } catch (error) {
    if (error.code === "ENOENT") return undefined
    throw error
  }
}

/**
 * Waits until no other command has the file, and takes it until this process ends. The file of a command that was killed is taken over: its
 * process is not running, or, where another process got its number, shows no sign of life for half a minute.
 */
export const takeTurn = async (file) => {
  let [last, looks, told] = [undefined, 0, false]
  while (!isTaken(file)) {
    const holder = holderOf(file)
    if (holder === undefined) continue
    looks = holder.seen === last ? looks + 1 : 0
    last = holder.seen
    // A file without a number is being written at this moment.
    if ((holder.process > 0 && !isRunning(holder.process)) || looks > patience) {
      rmSync(file, { force: true })
      continue
    }
    if (!told) console.error("Another command installs or builds here: waiting for it …")
    told = true
    await wait(interval)
  }
  setInterval(() => {
    const now = new Date()
    // A computer that slept for long may have lost its turn to another command: that is no reason to end.
    utimes(file, now, now, () => {})
  }, interval).unref()
  process.on("exit", () => {
    if (holderOf(file)?.process === process.pid) rmSync(file, { force: true })
  })
}
