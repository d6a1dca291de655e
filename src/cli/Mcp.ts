import { Command, Options } from "@effect/cli"
import { Config, Effect, Option } from "effect"
import { isAddress } from "../app/Addresses.ts"
import { needed } from "../app/SettingKinds.ts"
import { ifStopped } from "../services/operations/Stopping.ts"
import { version } from "../services/operations/System.ts"
import { loaded } from "./Loaded.ts"

export const McpCommand = Command.make(
  "mcp",
  {
    url: needed(
      "url",
      Options.text("url"),
      Option.liftPredicate((url) => url !== "" && isAddress(url)),
      "an http or https address such as https://live.example.com"
    ).pipe(Options.withDescription("Address of the server; or GAMEKEEPER_URL")),
    token: Options.redacted("token").pipe(
      Options.withFallbackConfig(Config.redacted("GAMEKEEPER_TOKEN")),
      Options.withDescription(
        "Personal access token or secret key; better in GAMEKEEPER_TOKEN, which no list of processes shows"
      )
    )
  },
  Effect.fnUntraced(function* ({ url, token }) {
    const { serveStdio } = yield* loaded(() => import("../mcp/Stdio.ts"))
    yield* ifStopped(null)
    yield* serveStdio(url, token, version)
  })
).pipe(Command.withDescription("Give an assistant tools of a server, over standard input and output (MCP)"))
