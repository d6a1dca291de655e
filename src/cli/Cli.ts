import { Command } from "@effect/cli"
import { Console } from "effect"
import { version } from "../services/operations/System.ts"
import { standardInputLast } from "./Arguments.ts"
import { BackupCommand, BackupsCommand, DrillCommand, RestoreCommand } from "./Backup.ts"
import { CreateAdminCommand } from "./CreateAdmin.ts"
import { DemoCommand } from "./Demo.ts"
import { DoctorCommand } from "./Doctor.ts"
import { ExportAllCommand } from "./ExportAll.ts"
import { ImportCommand } from "./Import.ts"
import { McpCommand } from "./Mcp.ts"
import { MigrateCommand } from "./Migrate.ts"
import { OpenApiCommand } from "./OpenApi.ts"
import { overview } from "./Overview.ts"
import { ApplyCommand, ExportCommand, PlanCommand, PullCommand, TypesCommand } from "./Remote.ts"
import { RepairCommand } from "./Repair.ts"
import { RemoveSecondFactorCommand } from "./RemoveSecondFactor.ts"
import { ResetPasswordCommand } from "./ResetPassword.ts"
import { serveHelp } from "./ServeHelp.ts"
import { serve, ServeCommand, serveOptions } from "./Serve.ts"
import { TestMailCommand } from "./TestMail.ts"

const Gamekeeper = Command.make("gamekeeper", serveOptions, serve).pipe(
  Command.withDescription("Self-hosted live-ops for game studios"),
  Command.withSubcommands([
    ServeCommand,
    MigrateCommand,
    CreateAdminCommand,
    ResetPasswordCommand,
    RemoveSecondFactorCommand,
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
  ])
)

/** Every command by its name. */
export const commands = Command.getSubcommands(Gamekeeper)

/** The first screen of somebody who asks for help. */
export const help = () => overview(version, commands)

const isHelp = (word: string | undefined) => word === "--help" || word === "-h"

/** Which screen of our own answers a command line: the library's help is for the others. */
const screenOf = (words: ReadonlyArray<string>) => {
  const [first, second, ...others] = words
  if (second === undefined) return isHelp(first) || first === "help" ? help : undefined
  return first === "serve" && isHelp(second) && others.length === 0 ? serveHelp : undefined
}

/** `serve --help --all`: the library's help knows no `--all`. */
const asksForAll = (words: ReadonlyArray<string>) => words.length > 1 && words.some(isHelp) && words.includes("--all")

const command = Command.run(Gamekeeper, { name: "gamekeeper", version })

/** Runs the command line given as `process.argv`. */
export const run = (argv: ReadonlyArray<string>) => {
  const words = argv.slice(2)
  const screen = screenOf(words)
  if (screen !== undefined) return Console.log(screen())
  if (asksForAll(words)) return command([...argv.slice(0, 2), ...words.filter((word) => word !== "--all")])
  return command(standardInputLast(argv))
}
