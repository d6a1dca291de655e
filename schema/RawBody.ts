import { Context } from "effect"

/** Marks an endpoint whose body is not JSON (an image, a stream of markers): the content type is its own business. */
export class RawBody extends Context.Reference<RawBody>()("schema/RawBody", { defaultValue: () => false }) {}

/** How the document shows a body of one JSON value a line; `item` says what each of them is. */
export const jsonLines = (item: string, examples: ReadonlyArray<unknown>) => ({
  schema: { type: "string", description: `One ${item} a line` },
  example: examples.map((each) => JSON.stringify(each)).join("\n")
})
