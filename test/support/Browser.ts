import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, dirname, join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { chromium } from "playwright-core"
import { root } from "./Server.ts"

interface Program {
  readonly executable: string
  /** Folder of libraries that the system may lack; empty where the system has them. */
  readonly libraries: string
}

/** The program that somebody chose. */
const chosen = process.env["GAMEKEEPER_CHROMIUM"]

const names = ["chromium", "chromium-browser", "google-chrome"]

/** Where installers put a browser on systems that do not have it on the path. */
const usual = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"
]

const installed = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .concat(usual)
    .find(existsSync)

/** The browser inside the npm package, unpacked once, together with the libraries that it needs. */
const shipped = (): Program => {
  const manifest = createRequire(import.meta.url).resolve("@sparticuz/chromium")
  const folder = dirname(dirname(dirname(manifest)))
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const home = join(root, "node_modules", ".cache", `gamekeeper-browser-${version}`)
  const executable = join(home, "chromium")
  if (!existsSync(executable)) {
    // Test files run side by side: each unpacks for itself, and the first to finish keeps what it has.
    const draft = `${home}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    const unpacked = (name: string) => brotliDecompressSync(readFileSync(join(folder, "bin", name)))
    // Libraries of the system, and what draws WebGL without a graphics card.
    for (const name of ["al2023.tar", "swiftshader.tar"]) {
      const archive = join(draft, name)
      writeFileSync(archive, unpacked(`${name}.br`))
      execFileSync("tar", ["-xf", archive, "-C", draft])
      rmSync(archive)
    }
    writeFileSync(join(draft, "chromium"), unpacked("chromium.br"), { mode: 0o755 })
    try {
      renameSync(draft, home)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!existsSync(executable)) throw error
    }
  }
  return { executable, libraries: join(home, "lib") }
}

/** The package holds a browser for this system alone. */
const isShipped = process.platform === "linux" && process.arch === "x64"

/**
 * The shipped browser goes before an installed one: it has no windows to draw, which takes a third of the time, and it is of one version
 * wherever the tests run.
 */
const program = (): Program | undefined => {
  if (chosen !== undefined) return { executable: chosen, libraries: "" }
  if (isShipped) return shipped()
  const executable = installed()
  return executable === undefined ? undefined : { executable, libraries: "" }
}

/** Why there is no browser here; null where there is one, or one can be unpacked. */
export const missingBrowser: string | null =
  chosen !== undefined || isShipped || installed() !== undefined
    ? null
    : `no Chromium for ${process.platform} ${process.arch}: install one or name it in GAMEKEEPER_CHROMIUM`

/** One line for who wonders why tests were skipped. */
export const sayWhatIsMissing = (): void => {
  if (missingBrowser !== null) process.stderr.write(`Browser tests are skipped: ${missingBrowser}\n`)
}

export const launchBrowser = (): Promise<Browser> => {
  const { executable, libraries } = program() ?? shipped()
  const paths = [libraries, process.env["LD_LIBRARY_PATH"] ?? ""].filter((path) => path !== "").join(delimiter)
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  )
  return chromium.launch({
    executablePath: executable,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    env: { ...env, ...(paths === "" ? {} : { LD_LIBRARY_PATH: paths }) }
  })
}

/** Settings of every context: without a locale the shipped browser names one that `Intl` refuses. */
export const plainContext = {
  locale: "en-US",
  timezoneId: "UTC",
  reducedMotion: "reduce"
} satisfies BrowserContextOptions
