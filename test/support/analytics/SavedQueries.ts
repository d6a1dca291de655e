import { DateTime, Effect } from "effect"
import type { Execution } from "../../../src/domain/analytics/question/Execution.ts"
import type { SavedQuery } from "../../../src/domain/analytics/question/SavedQuery.ts"
import { ExecutionId, QueryId, UserId } from "../../../src/domain/Ids.ts"
import type { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"

const base = Date.UTC(2026, 0, 1)
const userId = UserId.make("00000000-0000-4000-8000-000000000001")

/** So many seconds after the start of 2026. */
export const at = (seconds: number) => DateTime.unsafeMake(base + seconds * 1000)

/** A project of an organization of its own. */
export const aProject = Effect.gen(function* () {
  const organizations = yield* OrganizationRepo
  const projects = yield* ProjectRepo
  const organization = yield* organizations.insert({ name: "Studio", color: null, iconTag: null, createdAt: at(0) })
  const application = yield* projects.insert({
    organizationId: organization.id,
    name: "Game",
    sdkId: 1,
    color: null,
    thumbnailUrl: null,
    timezone: "UTC",
    createdAt: at(0),
    createdBy: userId
  })
  const [production, development] = yield* Effect.forEach(["production", "development"], (alias) =>
    Effect.map(
      Effect.flatten(
        projects.insertEnvironment({ applicationId: application.id, name: alias, alias, createdAt: at(0) })
      ),
      ({ id }) => id
    )
  ).pipe(Effect.orDie)
  return { application, production: production!, development: development! }
})

export const aSavedQuery = (applicationId: ApplicationId): SavedQuery => ({
  id: QueryId.make(crypto.randomUUID()),
  applicationId,
  name: "Daily players",
  description: "of the game",
  queryType: "insight",
  definition: "{}",
  listed: true,
  createdBy: { id: userId, email: "ada@studio.test" },
  updatedBy: { id: userId, email: "ada@studio.test" },
  createdAt: at(0),
  updatedAt: at(0),
  lastRunAt: null
})

export const anExecution = (
  query: SavedQuery,
  environmentId: EnvironmentId,
  fields: Partial<Execution>
): Execution => ({
  id: ExecutionId.make(crypto.randomUUID()),
  queryId: query.id,
  applicationId: query.applicationId,
  environmentId,
  idempotencyKey: null,
  requester: { kind: "system" },
  definition: query.definition,
  state: "queued",
  rowsScanned: 0,
  rowsTotal: 0,
  result: null,
  error: null,
  attempts: 0,
  requestedAt: at(0),
  startedAt: null,
  finishedAt: null,
  ...fields
})
