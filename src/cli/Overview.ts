import { CliConfig, CommandDescriptor, HelpDoc } from "@effect/cli"
import type { HashMap } from "effect"

/** Commands by what somebody wants, in the order in which they are needed. */
export const groups = [
  ["Run a server", ["serve", "demo", "migrate", "doctor", "repair"]],
  ["People of a server", ["create-admin", "reset-password", "remove-second-factor", "make-owner", "test-mail"]],
  ["Back up", ["backup", "backups", "restore", "drill"]],
  ["Markers in and out", ["import", "export", "export-all"]],
  ["Configurations as files, and types for games", ["pull", "plan", "apply", "types"]],
  ["For other programs", ["mcp", "openapi"]]
] as const

// oxlint-disable-next-line no-control-regex -- colours of a terminal
const colours = /\u001B\[[0-9;]*m/g

/** The sentence that a command says of itself. Its help begins with it; to lay out the options below, too, took longer than all else of a start. */
const sentence = (command: CommandDescriptor.Command<unknown>): string => {
  const help = CommandDescriptor.getHelp(command, CliConfig.defaultConfig)
  const beginning = HelpDoc.toAnsiText(HelpDoc.isSequence(help) ? help.left : help).replace(colours, "")
  return (/^DESCRIPTION\s+(\S[^\n]*)/m.exec(beginning)?.[1] ?? "").trim()
}

/**
 * What `gamekeeper --help` prints. The library's own help of the whole is 760 lines of the options of `serve`, with the commands after them; the help
 * of a single command stays as it is.
 */
export const overview = (
  version: string,
  commands: HashMap.HashMap<string, CommandDescriptor.Command<unknown>>
): string => {
  const all = new Map(commands)
  const width = Math.max(...[...all.keys()].map(({ length }) => length))
  const line = (name: string) => {
    const command = all.get(name)
    return `  ${name.padEnd(width)}  ${command === undefined ? "" : sentence(command)}`
  }
  return [
    `Gamekeeper ${version}: self-hosted live-ops for game studios`,
    "",
    "gamekeeper [command] [options]     without a command it serves",
    ...groups.flatMap(([title, names]) => ["", title, ...names.map(line)]),
    "",
    "gamekeeper <command> --help has the options of a command; serve --help those that most servers need, and serve --help --all",
    "all settings, which docs/settings.md and the running server at /docs/guide/reference/settings list too.",
    ""
  ].join("\n")
}
