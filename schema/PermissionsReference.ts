import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { allPermissions, type Permission } from "../src/domain/access/Permission.ts"
import { BuiltinRole, builtinRoles } from "../src/domain/access/Role.ts"
import type { Requirement } from "./access/RequiredPermission.ts"
import { RequiredPermission } from "./access/RequiredPermission.ts"
import { Api } from "./Api.ts"
import { table } from "./MarkdownTable.ts"

interface Asking {
  readonly endpoint: string
  readonly requirement: Requirement
}

const asking = (): ReadonlyArray<Asking> => {
  const found: Array<Asking> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      const requirement = Context.getOption(endpoint.annotations, RequiredPermission)
      if (Option.isNone(requirement)) return
      found.push({ endpoint: `\`${endpoint.method} ${endpoint.path}\``, requirement: requirement.value })
    }
  })
  return found
}

const scopes = [
  ["organization", "The caller holds the permission in the organization."],
  [
    "projects",
    "The caller holds it in at least one project of the organization; the answer holds only those projects."
  ],
  ["project", "The caller holds it in the project, which a token or key must cover."],
  ["environments", "The caller holds it in the project; a token or key must cover every environment of it."],
  ["environment", "The caller holds it in the project; a token or key must cover the environment of the request."]
]

const preface = `# Permissions

\`npm run docs\` writes this page from the contract; a test fails while it is not current.

A role allows a member what it lists, in the organization or in one project. A personal access token allows what it lists
and its owner holds. A secret key allows what it lists. A public key may list \`sdk:ingest\`, \`sdk:read\` and
\`queries:write\` and nothing else, because every player can read it out of the game. An empty list stands for the default of
the key's type: \`sdk:ingest\` and \`sdk:read\` for a public key, nothing for a secret key or a token.

Nobody gives a role or makes a key that allows more than they hold, or takes a role away that does.
`

const rolesTable = (): string =>
  table(
    ["Permission", ...BuiltinRole.literals],
    allPermissions.map((permission) => [
      `\`${permission}\``,
      ...BuiltinRole.literals.map((role) => (builtinRoles[role].permissions.includes(permission) ? "yes" : ""))
    ])
  )

type Asked = Exclude<Requirement, { readonly permission: "none" }>

const noteOf = (permission: Permission, requirement: Asked): string => {
  const others = [requirement.permission, ...requirement.also].filter((other) => other !== permission)
  const together = others.length === 0 ? [] : [`Together with ${others.map((other) => `\`${other}\``).join(" and ")}.`]
  return [...together, ...(requirement.note === undefined ? [] : [requirement.note])].join(" ")
}

const endpointsTable = (askings: ReadonlyArray<Asking>): string =>
  table(
    ["Permission", "Scope", "Endpoint", "Note"],
    allPermissions.flatMap((permission) =>
      askings.flatMap(({ endpoint, requirement }) =>
        requirement.permission !== "none" && [requirement.permission, ...requirement.also].includes(permission)
          ? [[`\`${permission}\``, requirement.scope, endpoint, noteOf(permission, requirement)]]
          : []
      )
    )
  )

const openTable = (askings: ReadonlyArray<Asking>): string =>
  table(
    ["Endpoint", "Reason"],
    askings.flatMap(({ endpoint, requirement }) =>
      requirement.permission === "none" ? [[endpoint, requirement.reason]] : []
    )
  )

/** The page of all permissions in Markdown: the roles that hold each, and the endpoints that ask for it. */
export const permissionsReference = (): string => {
  const askings = asking()
  return [
    preface,
    "## Built-in roles\n",
    rolesTable(),
    "\n## Scopes\n",
    table(["Scope", "Meaning"], scopes),
    "\n## Endpoints by permission\n",
    endpointsTable(askings),
    "\n## Endpoints that need no permission\n",
    openTable(askings),
    ""
  ].join("\n")
}
