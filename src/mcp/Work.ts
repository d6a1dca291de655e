import { Effect, Either, Schema } from "effect"
import { ConfigurationProblems } from "../../schema/configuration/ConfigurationDrafts.ts"
import {
  ConfigurationChange,
  ConfigurationEntry,
  ConfigurationRecord
} from "../../schema/configuration/ConfigurationRecord.ts"
import { ApplicationPage } from "../../schema/access/Projects.ts"
import { EnvironmentRecord } from "../../schema/access/Environments.ts"
import { ExperimentRecord } from "../../schema/experiments/ExperimentRecord.ts"
import { Scorecard } from "../../schema/experiments/Scorecard.ts"
import { everyPage, pageOf } from "../../schema/EveryPage.ts"
import { isTree, type JsonTree } from "../../schema/JsonTree.ts"
import { diff, type DocumentChange } from "../domain/configuration/Diff.ts"
import { apply } from "../domain/configuration/Patch.ts"
import { longestProposal, type Proposal, shownCodec } from "../web/configurations/ShownState.ts"
import { readable } from "../web/url/Codec.ts"
import type { Asker } from "./Asker.ts"
import { ToolRefused } from "./Asker.ts"
import { experimentWords } from "./ExperimentWords.ts"
import { pageAt } from "./Pages.ts"

const Organizations = Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))

/** Projects and environments that the token covers, with the ids that all other tools take. */
export const listProjects = Effect.fnUntraced(function* (asker: Asker) {
  const organizations = yield* asker.askFor(Organizations, "organizations.list", {})
  const projectsOf = (organizationId: number) =>
    everyPage((cursor) => asker.askFor(ApplicationPage, "projects.list", { organizationId, ...pageOf(cursor) }))
  const pages = yield* Effect.forEach(organizations, (organization) =>
    Effect.map(projectsOf(organization.id), (all) =>
      all.map((project) => ({ organization: organization.name, project }))
    )
  )
  return yield* Effect.forEach(pages.flat(), ({ organization, project }) =>
    Effect.map(
      asker.askFor(Schema.Array(EnvironmentRecord), "environments.list", { applicationId: project.id }),
      (environments) => ({
        organization,
        applicationId: project.id,
        name: project.name,
        timezone: project.timezone,
        environments: environments.map(({ id, name, alias }) => ({ environment_id: id, name, alias }))
      })
    )
  )
})

/** Configurations whose name, alias, description or document hold the text; keys are null where the documents were too large to be read. */
export const searchConfigurations = Effect.fnUntraced(function* (asker: Asker, given: JsonTree) {
  const { search, ...place } = given
  const wanted = String(search).toLowerCase()
  const list = (include: JsonTree) =>
    asker.askFor(Schema.Array(ConfigurationEntry), "configurations.list", { ...place, ...include })
  // Documents that are too large together are left out: names are found all the same.
  const all = yield* Effect.orElse(list({ include: "configuration" }), () => list({}))
  return all
    .filter(({ name, alias, description, configuration }) =>
      [name, alias, description, configuration === undefined ? null : JSON.stringify(configuration)].some(
        (text) => text?.toLowerCase().includes(wanted) === true
      )
    )
    .map(({ id, name, alias, description, isPrimary, configuration }) => ({
      configurationId: id,
      name,
      alias,
      description,
      isPrimary,
      keys: configuration === undefined ? null : Object.keys(configuration)
    }))
})

const Changes = Schema.Array(ConfigurationChange)

const proposal = ({ op, path, ...change }: DocumentChange): Proposal =>
  "value" in change ? { op, path, value: change.value } : { op, path }

const draftNote = (name: string, differences: number, isShort: boolean): string =>
  differences === 0
    ? `These changes change nothing: ${name} is so already`
    : isShort
      ? `Nothing is published: the page of ${name} opens with these changes as a draft, which somebody looks at and publishes`
      : `Nothing is saved, and the changes are too long for an address: somebody has to make them on the page of ${name} and publish them`

/** What a change of a configuration would do and what would refuse it, and the page that opens with it as a draft. Nothing is written. */
export const draftChange = Effect.fnUntraced(function* (asker: Asker, given: JsonTree) {
  const { changes, ...place } = given
  const decoded = yield* Effect.mapError(
    Schema.decodeUnknown(Changes)(changes),
    ({ message }) => new ToolRefused({ message })
  )
  const { name, configuration, applicationId, environmentId } = yield* asker.askFor(
    ConfigurationRecord,
    "configurations.get",
    place
  )
  const changed = apply(configuration, decoded)
  if (Either.isLeft(changed)) {
    const { reason, path } = changed.left
    const message =
      reason === "EmptyPath" ? "changes: a path may not be empty" : `changes: ${path.join(".")} is no object`
    return yield* new ToolRefused({ message })
  }
  const checked = yield* asker.askFor(ConfigurationProblems, "configurations.check", place, {
    configuration: changed.right
  })
  const differences = diff(configuration, changed.right)
  const address = `configurations/${String(place["configurationId"])}`
  const drafted = `${address}${readable(shownCodec.write({ view: "form", player: "", proposed: differences.map(proposal) }))}`
  const isShort = drafted.length <= longestProposal
  const page = yield* pageAt(asker, { applicationId, environment_id: environmentId }, isShort ? drafted : address)
  return {
    note: draftNote(name, differences.length, isShort),
    wouldBeRefused: checked.total > 0,
    problems: checked.problems,
    differences,
    configuration: changed.right,
    ...page
  }
})

/** Whether the results are those of the planned end: they are asked for until now, or until an instant behind it. */
const isPlannedEnd = ({ status, schedule: { endsAt } }: Scorecard, to: unknown): boolean =>
  status === "completed" && (to === undefined || (endsAt !== null && Date.parse(String(to)) >= endsAt.epochMillis))

/** The results of an experiment in words, with the numbers that they rest on. */
export const explainExperiment = Effect.fnUntraced(function* (asker: Asker, given: JsonTree) {
  const { applicationId, environment_id, experimentId } = given
  const place = { applicationId, experimentId, ...(environment_id === undefined ? {} : { environment_id }) }
  const experiment = yield* asker.askFor(ExperimentRecord, "experiments.get", place)
  const page = yield* pageAt(
    asker,
    { applicationId, environment_id: experiment.environmentId },
    `experiments/${experiment.id}`
  )
  if (experiment.status === "draft") {
    return { explanation: `"${experiment.name}" is a draft: it has not begun, so it has shown nothing.`, ...page }
  }
  const answer = yield* asker.ask("experiments.results", given)
  const scorecard = yield* Effect.mapError(
    Schema.decodeUnknown(Scorecard)(answer),
    ({ message }) => new ToolRefused({ message })
  )
  const numbers = isTree(answer) && Array.isArray(answer["metrics"]) ? withoutDays(answer, answer["metrics"]) : answer
  return {
    explanation: experimentWords(
      {
        name: experiment.name,
        unitType: experiment.unitType,
        goalComparisons: experiment.metrics.goals.length * (experiment.groups.length - 1),
        isWhole: given["metric"] === undefined,
        isPlannedEnd: isPlannedEnd(scorecard, given["to"])
      },
      scorecard
    ),
    hypothesis: experiment.hypothesis,
    ...page,
    results: numbers
  }
})

const withoutDays = (answer: JsonTree, metrics: ReadonlyArray<unknown>): JsonTree => ({
  ...answer,
  metrics: metrics.map((metric) => {
    if (!isTree(metric)) return metric
    const { overTime: _, ...others } = metric
    return others
  })
})

/** Keeps a draft, which games never see, and names its page. */
export const draftExperiment = (operation: string) => (asker: Asker, given: JsonTree) =>
  Effect.gen(function* () {
    const { experiment, ...place } = given
    const sent =
      isTree(experiment) && operation === "experiments.create" ? { ...experiment, status: "draft" } : experiment
    const made = yield* asker.askFor(ExperimentRecord, operation, place, sent)
    const page = yield* pageAt(
      asker,
      { applicationId: place["applicationId"], environment_id: made.environmentId },
      `experiments/${made.id}`
    )
    return {
      note: "The draft is saved and no game sees it: somebody has to start it on its page of the dashboard",
      experimentId: made.id,
      status: made.status,
      ...page
    }
  })
