import type { Effect } from "effect"
import type { JsonTree } from "../../schema/JsonTree.ts"
import type { Asker, ToolRefused } from "./Asker.ts"
import type { SchemaShape } from "./Operations.ts"

/** What an assistant may call. Its arguments are the parameters of an endpoint, and the body under a name of its own. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The endpoint, by its name in the contract, that is called or whose parameters the tool takes. */
  readonly operation: string
  /** The argument that is the body of the request; null where there is none. */
  readonly bodyName: string | null
  /** The schema of the body where it is not the payload of the endpoint. */
  readonly body: SchemaShape | null
  /** Fields of the body that every call sends so, whatever the assistant says: it cannot give them. */
  readonly pinned: JsonTree
  readonly isReadOnly: boolean
  /** What the tool does; null: it calls the endpoint and answers what that answers. */
  readonly work: ((asker: Asker, given: JsonTree) => Effect.Effect<unknown, ToolRefused>) | null
}

/** What tools that only read, and send no body, have in common. */
export const reading = { bodyName: null, body: null, pinned: {}, isReadOnly: true, work: null } as const
