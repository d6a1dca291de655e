import { CliConfig, CommandDescriptor, HelpDoc } from "@effect/cli"
import { describedIn, settings } from "../app/SettingsReference.ts"
import { colours } from "./Colours.ts"

/** What every command has by the library, and what this help is. */
const ofEvery: ReadonlySet<string> = new Set(["completions", "log-level", "help", "wizard", "version"])

/** The part of a help below a heading. */
const below = (help: string, heading: string): string =>
  new RegExp(`^${heading}\\s+([\\s\\S]*?)(?=\\n[A-Z]+\\n|$(?![\\s\\S]))`, "m").exec(help)?.[1]?.trim() ?? ""

/** What holds where nothing is given, of a setting of the server; the other options say it in their own words. */
const initials = (): ReadonlyMap<string, string> =>
  new Map(
    settings().flatMap(({ flag, initial }) =>
      initial === "—" ? [] : [[flag, ` (${initial.replaceAll("`", "")})`] as const]
    )
  )

const ofServerToo = (name: string): ReadonlyArray<string> => [
  `It takes the settings of the server too, such as --metadata and --events: gamekeeper ${name} --help --all,`,
  "docs/settings.md, and /docs/guide/reference/settings of the running server have them all.",
  ""
]

/**
 * The help of a command, a line for each option: the library's has six for each, without the defaults, and where a command takes all settings of the
 * server, it begins with several hundred lines that it hardly ever needs.
 */
export const commandHelp = (
  name: string,
  command: CommandDescriptor.Command<unknown>,
  takesSettings: boolean
): string => {
  const help = HelpDoc.toAnsiText(CommandDescriptor.getHelp(command, CliConfig.defaultConfig)).replace(colours, "")
  const initialOf = initials()
  const ofServer = new Set(settings().map(({ flag }) => flag))
  const own = describedIn(below(help, "OPTIONS")).filter(
    ({ flag }) => !ofEvery.has(flag) && !(takesSettings && ofServer.has(flag))
  )
  const [operand = "", ...about] = below(help, "ARGUMENTS").split("\n\n")
  const rows = [
    ...(operand === "" ? [] : [[operand, about[1]?.trim() ?? ""] as const]),
    ...own.map(({ head, flag, description }) => [`--${head}`, `${description}${initialOf.get(flag) ?? ""}`] as const),
    ...(takesSettings ? [["--data text", "Folder that holds everything the server knows (./data)"] as const] : [])
  ]
  const column = Math.max(...rows.map(([head]) => head.length)) + 4
  return [
    `gamekeeper ${name}${rows.length === 0 ? "" : " [options]"}${operand === "" ? "" : ` ${operand}`}`,
    "",
    below(help, "DESCRIPTION"),
    "",
    ...rows.map(([head, description]) => `  ${head.padEnd(column - 2)}${description}`.trimEnd()),
    ...(rows.length === 0 ? [] : [""]),
    ...(takesSettings ? ofServerToo(name) : [])
  ].join("\n")
}
