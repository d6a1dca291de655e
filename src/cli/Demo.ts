import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { options } from "../app/Config.ts"
import { Offline } from "../app/Serve.ts"
import { Demo } from "../services/operations/Demo.ts"

export const DemoCommand = Command.make("demo", options, (configuration) =>
  Effect.flatMap(Demo, (demo) => demo.play()).pipe(
    Effect.flatMap(({ email, password, applicationId, environmentId }) =>
      Console.log(
        `demo studio: sign in as ${email} with the password ${password} (application ${applicationId}, environment ${environmentId})`
      )
    ),
    Effect.provide(Offline(configuration))
  )
).pipe(Command.withDescription("Play a demo studio into the data folder, then stop"))
