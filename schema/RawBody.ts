import { Context } from "effect"

/** Marks an endpoint whose body is not JSON (an image, a stream of markers): the content type is its own business. */
export class RawBody extends Context.Reference<RawBody>()("schema/RawBody", { defaultValue: () => false }) {}
