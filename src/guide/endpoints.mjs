// Makes a document of each group of the contract: its endpoints with what they take, answer and refuse.
const slugOf = (name) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")

const cell = (text) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")

const table = (head, rows) =>
  rows.length === 0
    ? ""
    : `| ${head.join(" | ")} |\n|${head.map(() => " --- |").join("")}\n${rows.map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")}\n\n`

/** A schema in a few words: its type, its name, or what it is made of. */
const kindOf = (schema = {}) => {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1)
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${JSON.stringify(each)}\``).join(", ")
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(kindOf).join(" or ")
  if (schema.type === "array") return `list of ${kindOf(schema.items)}`
  return schema.type ?? "anything"
}

const resolved = (document, schema = {}) =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split("/").at(-1)] ?? {})

const fieldsOf = (document, schema) => {
  const { properties = {}, required = [] } = resolved(document, schema)
  return Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    kindOf(field),
    required.includes(name) ? "yes" : "",
    field.description ?? resolved(document, field).description ?? ""
  ])
}

const bodyOf = ({ content = {} } = {}) => Object.entries(content)[0] ?? []

const endpoint = (document, method, path, operation) => {
  const [type, body] = bodyOf(operation.requestBody)
  const responses = Object.entries(operation.responses)
  const answers = responses.filter(([status]) => status < 400)
  const refusals = responses.filter(([status]) => status >= 400)
  const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value
  return [
    `## ${operation.summary ?? `${method.toUpperCase()} ${path}`}\n`,
    `\`${method.toUpperCase()} ${path}\`\n`,
    `${operation.description ?? ""}\n`,
    table(
      ["parameter", "in", "type", "required", "meaning"],
      (operation.parameters ?? []).map((each) => [
        `\`${each.name}\``,
        each.in,
        kindOf(each.schema),
        each.required === true ? "yes" : "",
        each.description ?? each.schema?.description ?? ""
      ])
    ),
    type === undefined
      ? ""
      : `The body, ${/json/.test(type) ? "as JSON" : `\`${type}\``}:\n\n${table(["field", "type", "required", "meaning"], fieldsOf(document, body.schema))}`,
    example === undefined ? "" : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`,
    table(
      ["answer", "what"],
      answers.map(([status, { description, content }]) => [
        status,
        content === undefined ? description : kindOf(bodyOf({ content })[1]?.schema)
      ])
    ),
    table(
      ["refusal", "codes"],
      refusals.map(([status, { description }]) => [status, description])
    )
  ].join("\n")
}

/** The documents by the groups' order in the contract. */
export const endpointDocuments = (document) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )
  return document.tags.map(({ name, description = "" }) => ({
    name: slugOf(name),
    source: `# ${name}\n\n${description}\n\n${operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => endpoint(document, method, path, operation))
      .join("\n")}`
  }))
}
