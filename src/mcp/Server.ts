import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import type { JsonTree } from "../../schema/JsonTree.ts"
import type { Asker } from "./Asker.ts"
import { ToolRefused, tooLong } from "./Asker.ts"
import type { Tool } from "./Tool.ts"
import { tools } from "./Tools.ts"
import type { InputSchema } from "./ToolSchema.ts"
import { inputSchemaOf, problemsIn } from "./ToolSchema.ts"

const instructions =
  "Gamekeeper holds the markers (events), remote configuration and experiments of games. Begin with list_projects, then look up marker types before you ask about them. Show people the address in `dashboard`, where they see the same answer. An answer with `incomplete` lacks markers that could not be read: say so. Drafts are for people to publish: no tool does it."

let made: ReadonlyArray<object & { readonly name: string; readonly inputSchema: InputSchema }> | undefined

/** Made when somebody first asks: deriving all schemas takes some tens of milliseconds. */
const listed = () =>
  (made ??= tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.isReadOnly,
      destructiveHint: false,
      idempotentHint: tool.isReadOnly,
      openWorldHint: false
    }
  })))

/** Asks the endpoint of a tool, with the argument that is the body of its request. */
const passOn =
  ({ operation, bodyName }: Tool) =>
  (asker: Asker, given: JsonTree) => {
    if (bodyName === null) return asker.ask(operation, given)
    const { [bodyName]: body, ...place } = given
    return asker.ask(operation, place, body)
  }

const called = Effect.fnUntraced(function* (asker: Asker, name: string, given: Readonly<Record<string, unknown>>) {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    return yield* new ToolRefused({
      message: `No tool ${name}: there are ${tools.map((each) => each.name).join(", ")}`
    })
  }
  const problems = problemsIn(tool, given)
  if (problems !== null) return yield* new ToolRefused({ message: problems })
  return yield* (tool.work ?? passOn(tool))(asker, given)
})

/** Characters that an assistant can take in of one answer. */
const longestTold = 400_000

const written = (answer: unknown): Effect.Effect<string, ToolRefused> => {
  const text = JSON.stringify(answer)
  return text.length > longestTold ? Effect.fail(tooLong(text.length, longestTold)) : Effect.succeed(text)
}

const told = (text: string, isError: boolean) => ({ content: [{ type: "text" as const, text }], isError })

/** A server of the protocol whose tools call the API with one token. A refusal is a result that the assistant reads. */
export const serverOf = (asker: Asker, version: string): Server => {
  const server = new Server({ name: "gamekeeper", version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listed()] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    Effect.runPromise(
      called(asker, params.name, params.arguments ?? {}).pipe(
        Effect.flatMap(written),
        Effect.map((text) => told(text, false)),
        Effect.catchTag("ToolRefused", ({ message }) => Effect.succeed(told(message, true)))
      ),
      // Whoever has cancelled the call, or gone, waits for no answer.
      { signal }
    )
  )
  return server
}
