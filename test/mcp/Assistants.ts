import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { join } from "node:path"
import { shownCodec } from "../../src/web/configurations/ShownState.ts"
import { root } from "../support/Server.ts"

/** What the tools need to do all they can. */
export const permissions = [
  "organization:read",
  "projects:read",
  "markers:read",
  "analytics:read",
  "players:read",
  "cohorts:read",
  "configurations:read",
  "configurations:write",
  "experiments:read",
  "experiments:write"
]

export interface Told {
  readonly isError: boolean
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

const firstText = (content: unknown): string =>
  Array.isArray(content) && typeof content[0]?.text === "string" ? content[0].text : ""

const assistant = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Told> => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const text = firstText(content)
    return { isError: isError === true, text, body: isError === true ? undefined : JSON.parse(text) }
  }
  return { client, call, close: () => client.close() }
}

export type Assistant = Awaited<ReturnType<typeof assistant>>

/** The client of the protocol's own library over either way, for one token. */
export const ways: Readonly<Record<"stdio" | "http", (url: string, token: string) => Promise<Assistant>>> = {
  stdio: (url, token) =>
    assistant(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(root, "dist/main.mjs"), "mcp", "--url", url],
        env: { ...process.env, GAMEKEEPER_TOKEN: token } as Record<string, string>,
        stderr: "ignore"
      })
    ),
  http: (url, token) =>
    assistant(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } }
      })
    )
}

/** The page that an answer names, and the changes that its draft begins with. */
export const proposedBy = ({ body }: Told): readonly [page: string, changes: ReadonlyArray<object>] => {
  const { pathname, searchParams } = new URL(body.dashboard)
  return [pathname, shownCodec.read(searchParams).proposed]
}
