import type { Shape } from "./Shape.ts"

export type TypeLanguage = "typescript" | "csharp" | "luau"

/** A type to declare: the name it has in the studio, and its shape. */
export interface DeclaredType {
  readonly name: string
  readonly shape: Shape
}

interface Field {
  readonly key: string
  readonly type: string
  readonly isOptional: boolean
}

interface Declaration {
  readonly name: string
  readonly fields: ReadonlyArray<Field>
}

const words = (text: string) => text.match(/[A-Za-z0-9]+/g) ?? []

/** The text as the name of a type: `daily-deal 2` is `DailyDeal2`. */
const typeName = (text: string): string => {
  const joined = words(text)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
  return /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`
}

const free = (wanted: string, taken: Set<string>): string => {
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted}${number}`
  taken.add(name)
  return name
}

const quoted = (text: string) => JSON.stringify(text)

interface Writer {
  readonly plain: Readonly<Record<"string" | "number" | "integer" | "boolean" | "scalar" | "any", string>>
  readonly words: (all: ReadonlyArray<string>) => string
  readonly list: (item: string) => string
  readonly declaration: (declaration: Declaration) => string
  readonly head: string
  readonly tail: string
  /** Names that types of a studio may not have, because the text or what it stands beside means others by them. */
  readonly meant: ReadonlyArray<string>
}

const isIdentifier = (key: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(key)

const luauWords = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " "
  )
)

/** Luau writes `\u{1f}` where JSON writes `\u001f`. */
const luauText = (text: string): string =>
  quoted(text).replace(/\\(?:u([0-9a-f]{4})|.)/g, (all: string, code?: string) =>
    code === undefined ? all : `\\u{${code}}`
  )

const isBare = (key: string) => isIdentifier(key) && !luauWords.has(key)

const property = ({ key, type, isOptional }: Field, name: string): string =>
  [
    `    [JsonPropertyName(${csharpText(key)})]`,
    `    public ${type}${isOptional ? "?" : ""} ${name} { get; set; }${isOptional ? "" : " = default!;"}`
  ].join("\n")

/** What each object of C# has: a property of such a name would hide it. */
const ofEachObject = "Equals Finalize GetHashCode GetType MemberwiseClone ReferenceEquals ToString".split(" ")

/** A line of C# also ends at these, which JSON writes as they are. */
const csharpText = (text: string): string =>
  quoted(text).replace(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`)

const made = "Made by `gamekeeper types`: changes are lost when it runs again."

const writers: Record<TypeLanguage, Writer> = {
  typescript: {
    plain: {
      string: "string",
      number: "number",
      integer: "number",
      boolean: "boolean",
      scalar: "string | number | boolean",
      any: "unknown"
    },
    words: (all) => all.map(quoted).join(" | "),
    list: (item) => `ReadonlyArray<${item}>`,
    declaration: ({ name, fields }) =>
      [
        `export interface ${name} {`,
        ...fields.map(
          ({ key, type, isOptional }) =>
            `  readonly ${isIdentifier(key) ? key : quoted(key)}${isOptional ? "?" : ""}: ${type}`
        ),
        "}"
      ].join("\n"),
    head: `// ${made}`,
    tail: "",
    meant: ["ReadonlyArray"]
  },
  csharp: {
    plain: {
      string: "string",
      number: "double",
      integer: "long",
      boolean: "bool",
      scalar: "JsonElement",
      any: "JsonElement"
    },
    words: () => "string",
    list: (item) => `List<${item}>`,
    declaration: ({ name, fields }) => {
      const taken = new Set([name, ...ofEachObject])
      const properties = fields.map((field) => property(field, free(typeName(field.key), taken)))
      return [`public sealed class ${name}`, "{", properties.join("\n\n"), "}"].join("\n")
    },
    head: [
      `// ${made}`,
      "#nullable enable",
      "using System.Collections.Generic;",
      "using System.Text.Json;",
      "using System.Text.Json.Serialization;",
      "",
      // Unity knows no namespace without braces.
      "namespace Gamekeeper",
      "{"
    ].join("\n"),
    tail: "}",
    // The client for games has the same namespace.
    meant: [
      ...["Answer", "Client", "CopyFiles", "Json", "MarkerFile", "Options", "Transport"],
      ...["Gamekeeper", "System", "List", "JsonElement", "JsonPropertyName", "JsonPropertyNameAttribute"]
    ]
  },
  luau: {
    plain: {
      string: "string",
      number: "number",
      integer: "number",
      boolean: "boolean",
      scalar: "(string | number | boolean)",
      any: "any"
    },
    words: (all) => all.map(luauText).join(" | "),
    list: (item) => `{ ${item} }`,
    declaration: ({ name, fields }) =>
      [
        `export type ${name} = {`,
        ...fields.map(
          ({ key, type, isOptional }) =>
            `  ${isBare(key) ? key : `[${luauText(key)}]`}: ${isOptional ? `(${type})?` : type},`
        ),
        "}"
      ].join("\n"),
    head: `--!strict\n-- ${made}`,
    tail: "return {}",
    meant: []
  }
}

/** The source text that declares the types, and a type for each object inside them. */
export const typeDeclarations = (language: TypeLanguage, types: ReadonlyArray<DeclaredType>): string => {
  const writer = writers[language]
  const taken = new Set(writer.meant)
  const declarations: Array<Declaration> = []

  const typeOf = (shape: Shape, name: string): string => {
    if (shape.kind === "words") return writer.words(shape.words)
    if (shape.kind === "list") return writer.list(wrapped(shape.item, `${name}Item`))
    if (shape.kind !== "object") return writer.plain[shape.kind]
    const own = free(name, taken)
    const fields = shape.fields.map((field) => ({
      key: field.key,
      type: typeOf(field.shape, `${own}${typeName(field.key)}`),
      isOptional: field.isOptional
    }))
    declarations.push({ name: own, fields })
    return own
  }

  const wrapped = (shape: Shape, name: string): string => {
    const type = typeOf(shape, name)
    return shape.kind === "words" && language !== "csharp" ? `(${type})` : type
  }

  for (const { name, shape } of types) typeOf(shape, typeName(name))
  return `${[writer.head, ...declarations.map(writer.declaration), writer.tail].join("\n\n").trimEnd()}\n`
}
