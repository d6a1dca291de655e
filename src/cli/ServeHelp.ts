import { settings } from "../app/SettingsReference.ts"

/** Settings that most servers need, by job; the others are in docs/settings.md. */
export const jobs = [
  ["Where it lives", ["host", "port", "data", "public-url", "trust-proxy"]],
  ["Who comes in", ["sign-up", "owner", "smtp", "oidc-issuer"]],
  ["What it keeps", ["retention-days", "backup-to", "export-to", "snapshot"]],
  ["What it tells", ["log-format", "metrics-token", "otlp-endpoint"]],
  ["At scale", ["metadata", "events"]]
] as const

/** Longest line, in characters. */
const width = 110

/** As much of what a setting means as fits behind the flag: its first part, or the words before a colon, or the first words. */
const shortened = (text: string, room: number): string => {
  const part = text.split("; ", 1)[0] ?? ""
  const fitting = part.length <= room ? part : (part.split(": ", 1)[0] ?? "")
  return fitting.length <= room ? fitting : `${fitting.slice(0, fitting.lastIndexOf(" ", room - 2))} …`
}

/** What `gamekeeper serve --help` prints. The library's help of all settings is some 700 lines; `--all` asks for it. */
export const serveHelp = (): string => {
  const byFlag = new Map(settings().map((setting) => [setting.flag, setting]))
  const flags = jobs.flatMap(([, names]) => [...names])
  const column = Math.max(...flags.map(({ length }) => length)) + 6
  const line = (flag: string) => {
    const setting = byFlag.get(flag)
    const initial = setting === undefined || setting.initial === "—" ? "" : ` (${setting.initial.replaceAll("`", "")})`
    const room = width - column - initial.length
    return `  --${flag}`.padEnd(column) + shortened(setting?.description ?? "", room) + initial
  }
  return [
    "gamekeeper serve [options]     migrates the data folder and serves",
    ...jobs.flatMap(([title, names]) => ["", title, ...names.map(line)]),
    "",
    "To look around first",
    "  --demo".padEnd(column) + "Play in a demo studio and print how to sign in",
    "",
    `Each is an environment variable too: --public-url is GAMEKEEPER_PUBLIC_URL. All ${byFlag.size} settings: gamekeeper serve --help --all,`,
    "docs/settings.md, and /docs/guide/reference/settings of the running server.",
    ""
  ].join("\n")
}
