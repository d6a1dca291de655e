import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Projects } from "../../services/access/Projects.ts"

export const ProjectsHttp = HttpApiBuilder.group(Api, "projects", (handlers) =>
  Effect.map(Projects, (projects) =>
    handlers
      .handle("list", ({ path, urlParams }) => projects.list(path.organizationId, urlParams))
      .handle("create", ({ path, payload }) => projects.create(path.organizationId, payload))
      .handle("get", ({ path }) => projects.get(path.applicationId))
      .handle("permissions", ({ path }) => projects.permissions(path.applicationId))
      .handle("update", ({ path, payload }) => projects.update(path.applicationId, payload))
      .handle("remove", ({ path }) => projects.remove(path.applicationId))
  )
)
