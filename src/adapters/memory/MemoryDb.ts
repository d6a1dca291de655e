import { Context, type DateTime, Effect, Exit, FiberRef, Layer } from "effect"
import type { ApiKey } from "../../domain/access/ApiKey.ts"
import type { Browser } from "../../domain/access/Browser.ts"
import type {
  Application,
  Environment,
  Invitation,
  Membership,
  Organization
} from "../../domain/access/Organization.ts"
import type { Identity } from "../../domain/access/OpenId.ts"
import type { Grant, Role } from "../../domain/access/Role.ts"
import type { Passkey, PasskeyChallenge } from "../../domain/access/Passkey.ts"
import type { PasswordReset } from "../../domain/access/PasswordReset.ts"
import type { Authenticator } from "../../domain/access/SecondFactor.ts"
import type { SignInEvent } from "../../domain/access/SignInEvent.ts"
import type { User } from "../../domain/access/User.ts"
import type { Execution } from "../../domain/analytics/question/Execution.ts"
import type { Board } from "../../domain/analytics/board/Board.ts"
import type { SavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import type { HeatmapDefinition } from "../../domain/analytics/heatmap/HeatmapDefinition.ts"
import type { ArgumentMetadata, TypeMetadata } from "../../domain/analytics/markers/MarkerMetadata.ts"
import type { Click, ClickCount, Conversion } from "../../domain/deeplinks/Click.ts"
import type { Exposure } from "../../domain/experiments/Exposure.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { Deeplink } from "../../domain/deeplinks/Deeplink.ts"
import type {
  ApplicationId,
  CohortId,
  DeeplinkId,
  EnvironmentId,
  HeatmapId,
  MembershipId,
  OrganizationId,
  QueryId,
  UserId
} from "../../domain/Ids.ts"
import type { Configuration, ConfigurationVersion } from "../../domain/configuration/Configuration.ts"
import type { Cohort, CohortRun } from "../../domain/cohorts/Cohort.ts"
import type { MapImage } from "../../ports/analytics/HeatmapRepo.ts"
import type { Icon } from "../../ports/access/OrganizationRepo.ts"
import type { ContextFacts } from "../../domain/experiments/ContextFacts.ts"
import type { UnitSight } from "../../domain/experiments/UnitSight.ts"
import type { ExperimentDraft } from "../../domain/experiments/ExperimentDraft.ts"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { NumberedNotice } from "../../domain/game/NoticeLog.ts"
import type { GameJob } from "../../domain/game/GameJob.ts"
import type { ServerState } from "../../domain/game/ServerReport.ts"
import type { AuditChain, AuditEntry } from "../../domain/operations/audit/AuditEntry.ts"
import type { Alert, Incident } from "../../domain/operations/alerts/Alert.ts"
import type { Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import type { Delivery } from "../../domain/operations/webhooks/WebhookDelivery.ts"
import type { BegunChange } from "../../ports/operations/AuditRepo.ts"
import type { Erasure } from "../../domain/operations/Erasure.ts"
import { ReferencesChanged } from "../../ports/operations/ReferencesChanged.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { belongsTo, Table } from "./Table.ts"

/** Who is about something, and until when that is believed. */
export interface Claim {
  readonly claimedBy: string | null
  readonly claimedUntil: DateTime.Utc | null
}

interface Described<Metadata> {
  readonly environmentId: EnvironmentId
  readonly metadata: Metadata
}

/** Tables as those of SQLite: a row goes in only while the rows that it belongs to are there. */
const emptyTables = () => {
  const applications = new Table<Application>()
  const inProject = belongsTo(
    applications,
    (row: { readonly applicationId: ApplicationId | null }) => row.applicationId
  )
  const environments = new Table<Environment>(inProject)
  const inEnvironment = belongsTo(environments, (row: { readonly environmentId: EnvironmentId }) => row.environmentId)
  const deeplinks = new Table<Deeplink>(inProject)
  const inDeeplink = belongsTo(deeplinks, (row: { readonly deeplinkId: DeeplinkId }) => row.deeplinkId)
  const savedQueries = new Table<SavedQuery>(inProject)
  const heatmaps = new Table<HeatmapDefinition>(inProject)
  const cohorts = new Table<Cohort & Claim>(inEnvironment)
  const alerts = new Table<Alert>(inEnvironment)
  const configurations = new Table<Configuration>(inEnvironment)
  return {
    users: new Table<User>(),
    browsers: new Table<Browser>(),
    signIns: new Table<SignInEvent>(),
    passwordResets: new Table<PasswordReset>(),
    authenticators: new Table<Authenticator>(),
    recoveryCodes: new Table<{ readonly userId: UserId; readonly codeHash: string }>(),
    identities: new Table<Identity>(),
    passkeys: new Table<Passkey>(),
    passkeyChallenges: new Table<PasskeyChallenge>(),
    organizations: new Table<Organization>(),
    icons: new Table<Icon & { readonly organizationId: OrganizationId }>(),
    memberships: new Table<Membership>(),
    givenMemberships: new Table<MembershipId>(),
    invitations: new Table<Invitation>(),
    roles: new Table<Role>(),
    grants: new Table<Grant>(inProject),
    applications,
    environments,
    removedEnvironments: new Table<EnvironmentId>(),
    credentials: new Table<ApiKey>(),
    boards: new Table<Board>(inProject),
    savedQueries,
    savedQueryStars: new Table<{ readonly queryId: QueryId; readonly userId: UserId }>(
      belongsTo(savedQueries, (row) => row.queryId)
    ),
    executions: new Table<Execution & Claim>(inEnvironment),
    markerTypes: new Table<Described<TypeMetadata>>(inEnvironment),
    markerArguments: new Table<Described<ArgumentMetadata>>(inEnvironment),
    cohorts,
    cohortRuns: new Table<CohortRun & { readonly cohortId: CohortId }>(belongsTo(cohorts, (row) => row.cohortId)),
    heatmaps,
    heatmapImages: new Table<MapImage & { readonly heatmapId: HeatmapId }>(belongsTo(heatmaps, (row) => row.heatmapId)),
    experiments: new Table<StoredExperiment>(inEnvironment),
    experimentDrafts: new Table<ExperimentDraft>(inEnvironment),
    experimentGroups: new Table<never>(),
    contextProperties: new Table<ContextFacts & { readonly environmentId: EnvironmentId }>(inEnvironment),
    deeplinks,
    clicks: new Table<Click>(inDeeplink),
    clickVisitors: new Table<Pick<Click, "deeplinkId" | "visitor">>(inDeeplink),
    clickSlots: new Table<ClickCount & { readonly deeplinkId: DeeplinkId }>(inDeeplink),
    conversions: new Table<Conversion>((row) => inEnvironment(row) && inDeeplink(row)),
    assignments: new Table<StoredAssignment & { readonly environmentId: EnvironmentId }>(inEnvironment),
    unmarkedExposures: new Table<Exposure>(inEnvironment),
    erasedUnits: new Table<{
      readonly environmentId: EnvironmentId
      readonly fingerprint: string
      readonly erasedAt: number
    }>(inEnvironment),
    erasures: new Table<Erasure>(inEnvironment),
    auditChains: new Table<AuditChain & { readonly organizationId: OrganizationId }>(),
    auditEntries: new Table<AuditEntry>(),
    begunChanges: new Table<BegunChange>(),
    alerts,
    alertIncidents: new Table<Incident>(belongsTo(alerts, (row) => row.alertId)),
    webhooks: new Table<Webhook>(),
    webhookDeliveries: new Table<Delivery>(),
    notices: new Table<NumberedNotice & { readonly environmentId: EnvironmentId }>(inEnvironment),
    gameJobs: new Table<GameJob & { readonly environmentId: EnvironmentId; readonly audience: Audience }>(
      inEnvironment
    ),
    unitSights: new Table<UnitSight>(inEnvironment),
    serverStates: new Table<ServerState & { readonly environmentId: EnvironmentId }>(inEnvironment),
    configurations,
    configurationVersions: new Table<ConfigurationVersion>(belongsTo(configurations, (row) => row.configurationId))
  }
}

interface Access {
  /**
   * Reads or writes tables in one step. Outside a transaction it waits until the running one has ended, and so sees
   * either all of its writes or none.
   */
  readonly access: <A>(work: () => A) => Effect.Effect<A>
  readonly run: Transaction["Type"]["run"]
}

/** All tables of the memory store, and the only way to access them. */
export class MemoryDb extends Context.Tag("adapters/memory/MemoryDb")<
  MemoryDb,
  ReturnType<typeof emptyTables> & Access
>() {}

export const MemoryDbLive = Layer.effect(
  MemoryDb,
  Effect.gen(function* () {
    const tables = emptyTables()
    const permit = yield* Effect.makeSemaphore(1)
    const isInside = FiberRef.unsafeMake(false)

    const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(FiberRef.get(isInside), (inside) => (inside ? effect : permit.withPermits(1)(effect)))

    const restoring = () => {
      const undo = Object.values(tables).map((table) => table.snapshot())
      return () => undo.forEach((each) => each())
    }

    /** A row that belongs to one which is not there undoes all that `work` has written. */
    const checked = <A>(work: () => A): Effect.Effect<A> =>
      Effect.suspend(() => {
        const restore = restoring()
        const answer = work()
        if (!Object.values(tables).some((table) => table.hasRefused)) return Effect.succeed(answer)
        restore()
        return Effect.die(new ReferencesChanged())
      })

    const undoUnlessDone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const restore = Effect.sync(restoring())
        return Effect.onExit(effect, (exit) => (Exit.isSuccess(exit) ? Effect.void : restore))
      })

    return {
      ...tables,
      access: (work) => alone(checked(work)),
      run: (effect) => alone(undoUnlessDone(Effect.locally(effect, isInside, true)))
    }
  })
)

export const TransactionMemory = Layer.effect(
  Transaction,
  Effect.map(MemoryDb, ({ run }) => ({ run, runRemoval: run }))
)
