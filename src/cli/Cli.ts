import { Command, CommandDescriptor } from "@effect/cli"
import { Config, Console, Effect, HashMap, Option } from "effect"
import { type Flag, flagsOf } from "../app/Flags.ts"
import { version } from "../services/operations/System.ts"
import { standardInputLast } from "./Arguments.ts"
import { colouredForTerminals } from "./Colours.ts"
import { commandHelp } from "./CommandHelp.ts"
import { commandAt, complaints, isOther, missingTarget, unknownCommand } from "./CommandLine.ts"
import { BackupCommand, BackupsCommand, DrillCommand, RestoreCommand } from "./Backup.ts"
import { CreateAdminCommand } from "./people/CreateAdmin.ts"
import { DemoCommand } from "./Demo.ts"
import { DoctorCommand } from "./Doctor.ts"
import { EndsWith } from "./EndsWith.ts"
import { ExportAllCommand } from "./ExportAll.ts"
import { ImportCommand } from "./Import.ts"
import { MakeOwnerCommand } from "./people/MakeOwner.ts"
import { McpCommand } from "./Mcp.ts"
import { MigrateCommand } from "./Migrate.ts"
import { OpenApiCommand } from "./OpenApi.ts"
import { overview } from "./Overview.ts"
import { ApplyCommand, ExportCommand, PlanCommand, PullCommand, TypesCommand } from "./Remote.ts"
import { RepairCommand } from "./Repair.ts"
import { RemoveSecondFactorCommand } from "./people/RemoveSecondFactor.ts"
import { ResetPasswordCommand } from "./people/ResetPassword.ts"
import { serveHelp } from "./ServeHelp.ts"
import { serve, ServeCommand, serveOptions } from "./Serve.ts"
import { TestMailCommand } from "./TestMail.ts"
import { withoutUnread } from "./UnreadVariables.ts"

const subcommands = [
  ServeCommand,
  MigrateCommand,
  CreateAdminCommand,
  ResetPasswordCommand,
  RemoveSecondFactorCommand,
  MakeOwnerCommand,
  TestMailCommand,
  DemoCommand,
  ImportCommand,
  OpenApiCommand,
  DoctorCommand,
  RepairCommand,
  BackupCommand,
  BackupsCommand,
  RestoreCommand,
  DrillCommand,
  PullCommand,
  PlanCommand,
  ApplyCommand,
  TypesCommand,
  McpCommand,
  ExportCommand,
  ExportAllCommand
] as const

const described = "Self-hosted live-ops for game studios"

const Gamekeeper = Command.make("gamekeeper", serveOptions, serve).pipe(
  Command.withDescription(described),
  Command.withSubcommands(subcommands)
)

/** The same commands without `serve`'s options, for a line that names its command: other settings, be they wrong, do not concern it. */
const Named = Command.make("gamekeeper").pipe(Command.withDescription(described), Command.withSubcommands(subcommands))

/** Every command by its name. */
export const commands = Command.getSubcommands(Gamekeeper)

/** The first screen of somebody who asks for help. */
export const help = () => overview(version, commands)

const isHelp = (word: string | undefined) => word === "--help" || word === "-h"

/** `help import` asks for what `import --help` does. */
const askedBy = ([first = "", ...others]: ReadonlyArray<string>): ReadonlyArray<string> =>
  first === "help" && others.length > 0 ? [...others, "--help"] : first === "" ? [] : [first, ...others]

/** The options of a command, and those of the server by the empty name. */
const flagsByName = (name: string): ReadonlyArray<Flag> | undefined =>
  Option.getOrUndefined(
    Option.map(HashMap.get(commands, name === "" ? "serve" : name), (command) =>
      flagsOf(CommandDescriptor.getUsage(command))
    )
  )

/** Commands over the stores of a server take all of its settings. */
const takesSettings = (name: string): boolean =>
  flagsByName(name)?.some((flag) => flag.name === "--otlp-endpoint") ?? false

/** Which screen of our own answers a command line: the library's help is for `--help --all`. */
const screenOf = (words: ReadonlyArray<string>): (() => string) | undefined => {
  const [first = "", second, ...others] = words
  if (second === undefined) return isHelp(first) || first === "help" ? help : undefined
  if (!isHelp(second) || others.length > 0) return undefined
  if (first === "serve") return serveHelp
  const command = HashMap.get(commands, first)
  return Option.isSome(command) ? () => commandHelp(first, command.value, takesSettings(first)) : undefined
}

/** `serve --help --all`: the library's help knows no `--all`. */
const asksForAll = (words: ReadonlyArray<string>) => words.length > 1 && words.some(isHelp) && words.includes("--all")

const about = { name: "gamekeeper", version }
const running = Command.run(Gamekeeper, about)
const runningNamed = Command.run(Named, about)

const isSet = (name: string) =>
  Effect.map(
    Effect.orElseSucceed(Config.withDefault(Config.string(name), ""), () => ""),
    (value) => value !== ""
  )

/** Says in our own words what is wrong with the options, all of it, before the library stops at the first. */
const demandSound = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const isThere = { url: yield* isSet("GAMEKEEPER_URL"), token: yield* isSet("GAMEKEEPER_TOKEN") }
  const wrong = [...complaints(words, flagsByName), ...missingTarget(words, flagsByName, isThere)]
  for (const line of wrong) yield* Console.error(`gamekeeper: ${line}`)
  if (wrong.length > 0) return yield* new EndsWith({ exitCode: 1 })
})

/** Whether there are options alone, which are those of `serve`. The library takes the first word that is called like a command for one, be it a value. */
const servesUnnamed = (words: ReadonlyArray<string>) =>
  words[0]?.startsWith("-") === true && commandAt(words, flagsByName) === -1 && !words.some(isOther)

/** Runs the command line given as `process.argv`. */
export const run = (argv: ReadonlyArray<string>) => {
  const words = askedBy(argv.slice(2))
  const screen = screenOf(words)
  if (screen !== undefined) return Console.log(screen())
  const [first = ""] = words
  const unknown = unknownCommand(first, HashMap.keys(commands))
  if (unknown !== undefined)
    return Effect.zipRight(Console.error(`gamekeeper: ${unknown}`), Effect.fail(new EndsWith({ exitCode: 1 })))
  const named = servesUnnamed(words) ? ["serve", ...words] : words
  const asked = [...argv.slice(0, 2), ...(asksForAll(named) ? named.filter((word) => word !== "--all") : named)]
  const started = named === words && (first === "" || first.startsWith("-")) ? running : runningNamed
  const done = Effect.zipRight(demandSound(words), started(standardInputLast(asked)))
  return colouredForTerminals(withoutUnread(first)(done))
}
