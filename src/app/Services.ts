import { Layer } from "effect"
import { AssignmentImports } from "../services/AssignmentImports.ts"
import { Assignments } from "../services/Assignments.ts"
import { ContextProperties } from "../services/ContextProperties.ts"
import { Enrolment } from "../services/Enrolment.ts"
import { ExperimentCheck } from "../services/ExperimentCheck.ts"
import { ExperimentOverview } from "../services/ExperimentOverview.ts"
import { Experiments } from "../services/Experiments.ts"
import { ExperimentWrite } from "../services/ExperimentWrite.ts"
import { Exposures } from "../services/Exposures.ts"
import { MetricPlans } from "../services/MetricPlans.ts"
import { Rollouts } from "../services/Rollouts.ts"
import { RunningExperiments } from "../services/RunningExperiments.ts"
import { SdkExperiments } from "../services/SdkExperiments.ts"
import { UnitAnswers } from "../services/UnitAnswers.ts"
import { UnitVersions } from "../services/UnitVersions.ts"
import { Accounts } from "../services/Accounts.ts"
import { ApiKeys } from "../services/ApiKeys.ts"
import { Attribution } from "../services/Attribution.ts"
import { Changes } from "../services/Changes.ts"
import { Clicks } from "../services/Clicks.ts"
import { Conversions } from "../services/Conversions.ts"
import { ConfigurationCheck } from "../services/ConfigurationCheck.ts"
import { ConfigurationCopies } from "../services/ConfigurationCopies.ts"
import { Configurations } from "../services/Configurations.ts"
import { ConfigurationVersions } from "../services/ConfigurationVersions.ts"
import { ConfigurationWrite } from "../services/ConfigurationWrite.ts"
import { CohortDefinitions } from "../services/CohortDefinitions.ts"
import { CohortQueue } from "../services/CohortQueue.ts"
import { CohortRuns } from "../services/CohortRuns.ts"
import { Cohorts } from "../services/Cohorts.ts"
import { CohortUsages } from "../services/CohortUsages.ts"
import { CohortUsers } from "../services/CohortUsers.ts"
import { CohortWatch } from "../services/CohortWatch.ts"
import { CohortWrites } from "../services/CohortWrites.ts"
import { Credentials } from "../services/Credentials.ts"
import { Deeplinks } from "../services/Deeplinks.ts"
import { Delivery } from "../services/Delivery.ts"
import { ErasedUnits } from "../services/ErasedUnits.ts"
import { GameAccess } from "../services/GameAccess.ts"
import { GameJobs } from "../services/GameJobs.ts"
import { GameServers } from "../services/GameServers.ts"
import { Ingest } from "../services/Ingest.ts"
import { Environments } from "../services/Environments.ts"
import { ExecutionRuns } from "../services/ExecutionRuns.ts"
import { Evaluation } from "../services/Evaluation.ts"
import { Executions } from "../services/Executions.ts"
import { Freshness } from "../services/Freshness.ts"
import { Grants } from "../services/Grants.ts"
import { Heatmaps } from "../services/Heatmaps.ts"
import { Icons } from "../services/Icons.ts"
import { Invitations } from "../services/Invitations.ts"
import { LegacyDelivery } from "../services/LegacyDelivery.ts"
import { Keys } from "../services/Keys.ts"
import { Markers } from "../services/Markers.ts"
import { Members } from "../services/Members.ts"
import { MemberView } from "../services/MemberView.ts"
import { Notices } from "../services/Notices.ts"
import { Organizations } from "../services/Organizations.ts"
import { OrganizationView } from "../services/OrganizationView.ts"
import { PathLocks } from "../services/PathLocks.ts"
import { PasswordCheck } from "../services/PasswordCheck.ts"
import { PersonalTokens } from "../services/PersonalTokens.ts"
import { Pictures } from "../services/Pictures.ts"
import { PlayerAssignments } from "../services/PlayerAssignments.ts"
import { PlayerCohorts } from "../services/PlayerCohorts.ts"
import { Players } from "../services/Players.ts"
import { Policy } from "../services/Policy.ts"
import { Queries } from "../services/Queries.ts"
import { QueryCache } from "../services/QueryCache.ts"
import { QueryRuns } from "../services/QueryRuns.ts"
import { Projects } from "../services/Projects.ts"
import { RateLimiter } from "../services/RateLimiter.ts"
import { Redirects } from "../services/Redirects.ts"
import { References } from "../services/References.ts"
import { Results } from "../services/Results.ts"
import { Roles } from "../services/Roles.ts"
import { SdkCohorts } from "../services/SdkCohorts.ts"
import { SdkConfigurations } from "../services/SdkConfigurations.ts"
import { SdkHeatmaps } from "../services/SdkHeatmaps.ts"
import { SdkLegacy } from "../services/SdkLegacy.ts"
import { SavedQueries } from "../services/SavedQueries.ts"
import { Sessions } from "../services/Sessions.ts"
import { Studios } from "../services/Studios.ts"
import { System } from "../services/System.ts"
import { Trials } from "../services/Trials.ts"
import { Users } from "../services/Users.ts"

/** What several features share. */
export const Shared = Layer.mergeAll(
  Changes.Default,
  ErasedUnits.Default,
  CohortWatch.Default,
  Keys.Default,
  MetricPlans.Default,
  OrganizationView.Default,
  PathLocks.Default,
  Pictures.Default,
  Policy.Default,
  RateLimiter.Default,
  References.Default.pipe(Layer.provideMerge(CohortUsers.Default)),
  Sessions.Default,
  Studios.Default,
  UnitVersions.Default
)

/** Members and what they may do, which several features show. */
const Membership = Members.Default.pipe(
  Layer.provideMerge(Grants.Default),
  Layer.provideMerge(MemberView.Default),
  Layer.provideMerge(Organizations.Default)
)

/** Questions, kept by name and run in the background. */
const Analytics = Executions.Default.pipe(
  Layer.provideMerge(ExecutionRuns.Default),
  Layer.provideMerge(SavedQueries.Default),
  Layer.provide(QueryRuns.Default),
  Layer.provideMerge(Queries.Default),
  Layer.provideMerge(Results.Default.pipe(Layer.provide(Trials.Default))),
  Layer.provide(QueryCache.Default),
  Layer.provideMerge(Credentials.Default)
)

/** Markers in, and the clicks that they convert. */
const Ingesting = Ingest.Default.pipe(
  Layer.provide(GameAccess.Default),
  Layer.provide(Attribution.Default),
  Layer.provide(Clicks.Default)
)

/** Links into the game, and what came of their clicks. */
const Links = Layer.mergeAll(
  Conversions.Default.pipe(Layer.provideMerge(Deeplinks.Default)),
  Redirects.Default,
  Ingesting
).pipe(Layer.provide(Clicks.Default))

/** Remote configuration, and the one way to write it. */
const RemoteConfiguration = Layer.mergeAll(
  ConfigurationCopies.Default,
  Configurations.Default,
  ConfigurationVersions.Default
).pipe(Layer.provideMerge(ConfigurationWrite.Default), Layer.provide(ConfigurationCheck.Default))

/** Cohorts and what computes them. */
const CohortServices = CohortUsages.Default.pipe(
  Layer.provideMerge(Cohorts.Default),
  Layer.provideMerge(SdkCohorts.Default.pipe(Layer.provide(GameAccess.Default))),
  Layer.provide(CohortWrites.Default),
  Layer.provideMerge(CohortRuns.Default),
  Layer.provideMerge(CohortQueue.Default),
  Layer.provide(CohortDefinitions.Default)
)

/** Experiments, who is in which group, and how a person changes that. */
const ExperimentServices = Layer.mergeAll(
  AssignmentImports.Default,
  Assignments.Default,
  ExperimentOverview.Default,
  Experiments.Default,
  Rollouts.Default
).pipe(
  Layer.provideMerge(ExperimentWrite.Default),
  Layer.provide(ExperimentCheck.Default),
  Layer.provide(ConfigurationWrite.Default),
  Layer.provide(ConfigurationCheck.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provide(ContextProperties.Default),
  Layer.provide(CohortQueue.Default)
)

/** What games read of configurations and experiments, and how they hear of changes. */
const GameSide = Layer.mergeAll(GameJobs.Default, GameServers.Default, SdkExperiments.Default, SdkLegacy.Default).pipe(
  Layer.provide(LegacyDelivery.Default),
  Layer.provideMerge(SdkConfigurations.Default),
  Layer.provideMerge(UnitAnswers.Default),
  Layer.provide(Delivery.Default),
  Layer.provide(Evaluation.Default),
  Layer.provide(Enrolment.Default),
  Layer.provideMerge(Exposures.Default),
  Layer.provideMerge(ContextProperties.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provideMerge(Notices.Default),
  Layer.provideMerge(Freshness.Default),
  Layer.provide(Ingesting),
  Layer.provide(GameAccess.Default),
  Layer.provide(Credentials.Default)
)

/** Every use case. */
export const Services = Layer.mergeAll(
  Accounts.Default,
  Analytics,
  ApiKeys.Default,
  CohortServices,
  Environments.Default,
  ExperimentServices,
  GameSide,
  Icons.Default,
  Links,
  Invitations.Default,
  Markers.Default,
  PersonalTokens.Default,
  Players.Default.pipe(
    Layer.provide(PlayerAssignments.Default),
    Layer.provide(PlayerCohorts.Default),
    Layer.provide(Exposures.Default),
    Layer.provide(ContextProperties.Default)
  ),
  Projects.Default,
  RemoteConfiguration,
  Roles.Default,
  SdkHeatmaps.Default.pipe(Layer.provide(GameAccess.Default), Layer.provideMerge(Heatmaps.Default)),
  System.Default,
  Users.Default
).pipe(Layer.provideMerge(Membership), Layer.provideMerge(PasswordCheck.Default), Layer.provideMerge(Shared))
