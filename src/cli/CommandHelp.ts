import { CliConfig, CommandDescriptor, HelpDoc } from "@effect/cli"
import { describedIn, settings } from "../app/SettingsReference.ts"
import { colours } from "./Colours.ts"

/** What every command has by the library, and what this help is. */
const ofEvery: ReadonlySet<string> = new Set(["completions", "log-level", "help", "wizard", "version"])

/** The part of a help below a heading. */
const below = (help: string, heading: string): string =>
  new RegExp(`^${heading}\\s+([\\s\\S]*?)(?=\\n[A-Z]+\\n|$(?![\\s\\S]))`, "m").exec(help)?.[1]?.trim() ?? ""

/**
 * The help of a command that takes all settings of the server, too: its own options alone, since the library's begins with several hundred
 * lines of settings that it hardly ever needs.
 */
export const commandHelp = (name: string, command: CommandDescriptor.Command<unknown>): string => {
  const help = HelpDoc.toAnsiText(CommandDescriptor.getHelp(command, CliConfig.defaultConfig)).replace(colours, "")
  const ofServer = new Set(settings().map(({ flag }) => flag))
  const own = describedIn(below(help, "OPTIONS")).filter(({ flag }) => !ofServer.has(flag) && !ofEvery.has(flag))
  const [operand = "", ...about] = below(help, "ARGUMENTS").split("\n\n")
  const rows = [
    ...(operand === "" ? [] : [[operand, about[1]?.trim() ?? ""] as const]),
    ...own.map(({ head, description }) => [`--${head}`, description] as const),
    ["--data text", "Folder that holds everything the server knows (./data)"] as const
  ]
  const column = Math.max(...rows.map(([head]) => head.length)) + 4
  return [
    `gamekeeper ${name} [options]${operand === "" ? "" : ` ${operand}`}`,
    "",
    below(help, "DESCRIPTION"),
    "",
    ...rows.map(([head, description]) => `  ${head.padEnd(column - 2)}${description}`.trimEnd()),
    "",
    `It takes the settings of the server too, such as --metadata and --events: gamekeeper ${name} --help --all,`,
    "docs/settings.md, and /docs/guide/reference/settings of the running server have them all.",
    ""
  ].join("\n")
}
