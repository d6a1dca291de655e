import { Command } from "@effect/cli"
import { version } from "../services/System.ts"
import { serve, ServeCommand, serveOptions } from "./Serve.ts"

const Gamekeeper = Command.make("gamekeeper", serveOptions, serve).pipe(
  Command.withDescription("Self-hosted live-ops for game studios"),
  Command.withSubcommands([ServeCommand])
)

/** Runs the command line given as `process.argv`. */
export const run = Command.run(Gamekeeper, { name: "gamekeeper", version })
