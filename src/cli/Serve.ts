import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import type { Configuration } from "../app/Config.ts"
import { options } from "../app/Config.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { loaded } from "./Loaded.ts"

export const serveOptions = {
  ...options,
  demo: Options.boolean("demo").pipe(Options.withDescription("Play in a demo studio and print how to sign in"))
}

export const serve = ({ demo, ...configuration }: Configuration & { readonly demo: boolean }) =>
  ifStopped(null).pipe(
    Effect.zipRight(loaded(() => import("../app/Serve.ts"))),
    Effect.flatMap(({ serving }) => serving(configuration, demo))
  )

export const ServeCommand = Command.make("serve", serveOptions, serve).pipe(
  Command.withDescription("Migrate and serve; also what happens without a subcommand")
)
