import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { problemCodes, severities, storeNames } from "../../src/domain/operations/StoreProblem.ts"
import { requiresNone } from "../access/RequiredPermission.ts"
import { Traffic } from "../Traffic.ts"

export const Health = Schema.Struct({ status: Schema.Literal("ok") }).annotations({ identifier: "Health" })

export const ReadinessProblem = Schema.Struct({
  code: Schema.Literal(...problemCodes),
  store: Schema.NullOr(Schema.Literal(...storeNames)).annotations({
    description: "The store that has the problem; null: the disk under both"
  }),
  severity: Schema.Literal(...severities).annotations({
    description: "unavailable: the server should get no requests; degraded: it works, but something is missing"
  }),
  message: Schema.String.annotations({ description: "What is wrong and what helps, in words" })
}).annotations({ identifier: "ReadinessProblem" })

export const Readiness = Schema.Struct({
  status: Schema.Literal("ready", "degraded", "unavailable").annotations({
    description: "The worst of the problems; ready without any"
  }),
  stores: Schema.Struct({
    metadata: Schema.Boolean,
    log: Schema.optional(
      Schema.Boolean.annotations({
        description:
          "Only where markers are stored in a log first, which is apart from the store that answers questions"
      })
    ),
    events: Schema.Boolean
  }).annotations({ description: "Whether each store takes writes" }),
  problems: Schema.Array(ReadinessProblem)
}).annotations({ identifier: "Readiness" })

/** The same answer with the status that takes a server out of a load balancer. */
const Unready = Readiness.annotations({ description: "Not ready", ...HttpApiSchema.annotations({ status: 503 }) })

export const Version = Schema.Struct({
  name: Schema.Literal("gamekeeper"),
  version: Schema.String,
  commit: Schema.NullOr(Schema.String).annotations({
    description: "The commit that was built; null where it was not built in a clone of the repository"
  }),
  node: Schema.String
}).annotations({ identifier: "Version" })

export class SystemGroup extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health")
      .addSuccess(Health)
      .annotateContext(requiresNone("It tells nothing of any organization."))
      .annotate(OpenApi.Summary, "The process is alive")
  )
  .add(
    HttpApiEndpoint.get("ready", "/ready")
      .addSuccess(Readiness)
      .addSuccess(Unready)
      .annotateContext(requiresNone("It tells nothing of any organization."))
      .annotate(OpenApi.Summary, "The stores take writes; 503 while they do not")
      .annotate(
        OpenApi.Description,
        "Tries a write in each store and looks at the free space, at most once a second. It never waits for questions of analysts. Where markers have a log of their own, the server stays ready, degraded, while the store that answers questions is down."
      )
  )
  .add(
    HttpApiEndpoint.get("version", "/version")
      .addSuccess(Version)
      .annotateContext(requiresNone("It tells nothing of any organization."))
      .annotate(OpenApi.Summary, "What runs here")
  )
  .annotate(Traffic, "vital")
  .annotate(OpenApi.Title, "System")
  .annotate(OpenApi.Description, "Whether the server lives and works, and what runs.") {}
