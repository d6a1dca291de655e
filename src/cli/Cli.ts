import { Command } from "@effect/cli"
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

const command = Command.run(Gamekeeper, { name: "gamekeeper", version })

/** Runs the command line given as `process.argv`. */
export const run = (argv: ReadonlyArray<string>) => command(standardInputLast(argv))
