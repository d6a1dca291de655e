import { HelpDoc, Options } from "@effect/cli"
import { Redacted } from "effect"
import { table } from "../../schema/MarkdownTable.ts"
import { defaults, options } from "./Config.ts"
import { variable } from "./SettingKinds.ts"
import { weekDays } from "./WeekDays.ts"

/** A setting as the help of the command line tells it. */
interface Setting {
  /** Without dashes. */
  readonly flag: string
  readonly description: string
}

/** A setting with its default, as the documents write it. */
export interface SettingWithDefault extends Setting {
  readonly initial: string
}

// oxlint-disable-next-line no-control-regex -- colours of a terminal
const colours = /\u001B\[[0-9;]*m/g

/** Sentences that the help says of every setting. */
const common = /^(This (option|setting) |A user-defined|An? \w+\.$|One of the following)/

const described = (head: string, paragraphs: ReadonlyArray<string>) => {
  const own = paragraphs.map((each) => each.trim()).filter((each) => each !== "" && !common.test(each))
  return { head, flag: head.split(/[\s,]/, 1)[0] ?? "", description: own.at(-1) ?? "" }
}

/** The options in a help without colours; `head` is the flag with what it takes, without dashes in front. */
export const describedIn = (help: string) => {
  const parts = help.split(/^\s*--(?=[a-z])/m).slice(1)
  return parts.map((part) => {
    const [head = "", ...paragraphs] = part.split("\n")
    return described(head.trim(), paragraphs)
  })
}

const settingsIn = (option: Options.Options<unknown>): ReadonlyArray<Setting> =>
  describedIn(HelpDoc.toAnsiText(Options.getHelp(option)).replace(colours, ""))

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Redacted.isRedacted(value) && !("perKey" in value)

/** What holds where nothing is set, by the name of the flag without dashes. */
const initials: ReadonlyMap<string, unknown> = new Map(
  Object.entries(defaults).flatMap(([key, value]) =>
    isGroup(value)
      ? Object.entries(value).map(([name, each]) => [`${key}${name}`.toLowerCase(), each] as const)
      : [[key.toLowerCase(), value] as const]
  )
)

const initial = (flag: string): string => {
  const value = initials.get(flag.replaceAll("-", ""))
  if (flag === "week-start") return `\`${weekDays[defaults.weekStart] ?? ""}\``
  if (typeof value === "boolean") return value ? "`on`" : "`off`"
  if (typeof value === "number" || (typeof value === "string" && value !== "")) return `\`${value}\``
  if (typeof value !== "object" || value === null || !("perKey" in value && "perAddress" in value)) return "—"
  return `\`${String(value.perKey)}/${String(value.perAddress)}\``
}

/** Every setting, in the order of the help. */
export const settings = (): ReadonlyArray<SettingWithDefault> =>
  Object.values(options)
    .flatMap((option) => settingsIn(option))
    .map(({ flag, description }) => ({ flag, description, initial: initial(flag) }))

const cellsOf = ({ flag, description, initial }: SettingWithDefault): ReadonlyArray<string> => [
  `\`--${flag}\``,
  `\`${variable(flag)}\``,
  initial,
  // A bucket's address would become a link.
  description.replace(/s3:\/\/\S+\w/g, "`$&`")
]

const preface = `# Settings

\`npm run docs\` writes this page from the code; a test fails while it is not current.

Every setting is a flag of \`gamekeeper serve\`, and of the commands that open the same data, and an environment variable; a flag counts before its
variable, and an empty variable is as one that is not set. The \`--\` before flags is npm's: \`npm start -- --port 8080\`. A variable that begins with \`GAMEKEEPER_\` and that nothing reads is told in
the log when the server starts.
`

/** The document of all settings: one flag, one environment variable, one default each. */
export const settingsReference = (): string => {
  const rows = settings().map(cellsOf)
  return `${preface}\n${table(["flag", "variable", "default", "meaning"], rows)}\n`
}
