// Makes what `npx gamekeeper` installs: the build and the SQLite driver that comes built, without any script that runs at installation.
// `node src/package.mjs <folder>` puts gamekeeper-<version>.tgz there.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { root } from "./build.mjs"
import { runCommand } from "./commands.mjs"
import { pack } from "./packed.mjs"

const into = resolve(process.argv[2] ?? join(root, "package"))
const staged = mkdtempSync(join(tmpdir(), "gamekeeper-package-"))
try {
  pack(staged)
  mkdirSync(into, { recursive: true })
  const { status } = runCommand("npm", ["pack", staged, "--pack-destination", into, "--ignore-scripts"], {
    cwd: staged,
    stdio: ["ignore", "inherit", "inherit"]
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(staged, { recursive: true, force: true })
}
