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

const asksForHelp = (argv: ReadonlyArray<string>) => {
  const [first, ...others] = argv.slice(2)
  return others.length === 0 && (first === "--help" || first === "-h" || first === "help")
}

const command = Command.run(Gamekeeper, { name: "gamekeeper", version })

/** Runs the command line given as `process.argv`. */
export const run = (argv: ReadonlyArray<string>) =>
  asksForHelp(argv) ? Console.log(help()) : command(standardInputLast(argv))
