// Other programs, started the same way on every system.
import { spawnSync } from "node:child_process"

/**
 * Runs a command and waits for it. On Windows npm's are scripts, which only a shell runs, and a shell takes words apart at blanks, such as the one
 * in `C:\Program Files`, unless they stand in quotes.
 */
export const runCommand = (command, args, options = {}, hasScripts = process.platform === "win32") =>
  hasScripts
    ? spawnSync([command, ...args].map((word) => `"${word}"`).join(" "), { ...options, shell: true })
    : spawnSync(command, args, options)
