import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"

export const reasons = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage"
} as const
export type Status = keyof typeof reasons

/** What every refused request answers. */
export interface Envelope {
  readonly statusCode: number
  readonly code: string
  readonly error: string
  readonly message: string
}

/** The class name of a failure, made of its code: `SLUG_TAKEN` is the class `SlugTaken`. */
export type TagOf<Code extends string> = Code extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Lowercase<Word>>}${TagOf<Rest>}`
  : Capitalize<Lowercase<Code>>

function tagOf<Code extends string>(code: Code): TagOf<Code>
function tagOf(code: string): string {
  return code
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join("")
}

const constant = <const L extends string | number>(value: L) =>
  Schema.Literal(value).pipe(
    Schema.propertySignature,
    Schema.withConstructorDefault(() => value)
  )

/** Fields of the body of a failure, which may have more, and the annotations that give it its status and say when it is answered. */
export const envelope = <const S extends Status, const C extends string>(status: S, code: C, when: string) =>
  [
    {
      statusCode: constant(status),
      code: constant(code),
      error: constant(reasons[status]),
      message: Schema.String
    },
    { [HttpApiSchema.AnnotationStatus]: status, description: when }
  ] as const

type Fields<S extends Status, Code extends string> = ReturnType<typeof envelope<S, Code>>[0]

/** The class of a failure. Its instances carry a `_tag`, by which they can be caught and which never reaches the body. */
export interface FailureClass<Self, Code extends string, S extends Status> extends Schema.Class<
  Self,
  Fields<S, Code>,
  Schema.Struct.Encoded<Fields<S, Code>>,
  never,
  Schema.Struct.Constructor<Fields<S, Code>>,
  {},
  { readonly _tag: TagOf<Code> }
> {}

/** The base class of a failure with this code and HTTP status; `when` says in a sentence what it is answered to. */
export function Failure<Self>(): <const Code extends string, const S extends Status>(
  code: Code,
  status: S,
  when: string
) => FailureClass<Self, Code, S>
export function Failure() {
  return (code: string, status: Status, when: string) => {
    const tag = tagOf(code)
    class Refused extends Schema.Class<Refused>(tag)(...envelope(status, code, when)) {
      readonly _tag = tag
    }
    return Refused
  }
}
