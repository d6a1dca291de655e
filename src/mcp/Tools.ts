import { Schema } from "effect"
import { ConfigurationChange } from "../../schema/configuration/ConfigurationRecord.ts"
import { text } from "../../schema/Text.ts"
import { questionTools } from "./QuestionTools.ts"
import { reading, type Tool } from "./Tool.ts"
import { draftChange, draftExperiment, explainExperiment, listProjects, searchConfigurations } from "./Work.ts"

const ids = "Ids of project and environment come from list_projects."

/** All that an assistant may do. None publishes, starts, ends or deletes anything. */
export const tools: ReadonlyArray<Tool> = [
  {
    ...reading,
    name: "list_projects",
    title: "Projects and environments",
    description:
      "Projects and environments that the token covers, with the ids that all other tools take. Call it first.",
    operation: "organizations.list",
    work: listProjects
  },
  {
    ...reading,
    name: "list_marker_types",
    title: "Marker types",
    description: `The types of markers (events) that the game sends, with descriptions and counts. ${ids}`,
    operation: "markers.types"
  },
  {
    ...reading,
    name: "list_marker_arguments",
    title: "Arguments of markers",
    description: "What markers say of themselves (price, level), of one type or of all, with descriptions.",
    operation: "markers.arguments"
  },
  {
    ...reading,
    name: "list_marker_properties",
    title: "Properties of players",
    description: "What markers say of the player (platform, country), of one type or of all.",
    operation: "markers.properties"
  },
  {
    ...reading,
    name: "list_argument_values",
    title: "Values of an argument",
    description: "The most frequent values of an argument, to filter by.",
    operation: "markers.argumentValues"
  },
  {
    ...reading,
    name: "list_property_values",
    title: "Values of a property",
    description: "The most frequent values of a property, to filter by.",
    operation: "markers.propertyValues"
  },
  ...questionTools,
  {
    ...reading,
    name: "list_heatmaps",
    title: "Maps",
    description: "The maps that heatmaps are drawn on, with their bounds.",
    operation: "heatmaps.list"
  },
  {
    ...reading,
    name: "search_players",
    title: "Search players",
    description:
      'Players by the beginning of their id, by cohort and by what they are. `filters` is JSON: [{"source":"property","name":"platform","operator":"is","value":"ios"}]. `nextCursor` of the answer, given as `cursor`, leads on.',
    operation: "players.list"
  },
  {
    ...reading,
    name: "describe_player",
    title: "A player",
    description: "What is known of one player: first and last seen, properties, cohorts, experiments.",
    operation: "players.get"
  },
  {
    ...reading,
    name: "list_cohorts",
    title: "Cohorts",
    description: "Groups of players that filters and experiments name.",
    operation: "cohorts.list"
  },
  {
    ...reading,
    name: "search_configurations",
    title: "Search configurations",
    description:
      "Remote configurations whose name, alias, description, keys or values hold the text; an empty text finds all.",
    operation: "configurations.list",
    bodyName: "search",
    body: text(0, 256),
    work: searchConfigurations
  },
  {
    ...reading,
    name: "read_configuration",
    title: "A configuration",
    description: "A remote configuration with its document.",
    operation: "configurations.get"
  },
  {
    ...reading,
    name: "draft_configuration_change",
    title: "Draft a change of a configuration",
    description:
      "What changes of a configuration would do and what would refuse them. Its address opens the page with them as a draft: a person publishes it.",
    operation: "configurations.check",
    bodyName: "changes",
    body: Schema.Array(ConfigurationChange).pipe(Schema.minItems(1), Schema.maxItems(1000)),
    work: draftChange
  },
  {
    ...reading,
    name: "list_experiments",
    title: "Experiments",
    description: "Experiments of the environment, with groups, status and metrics.",
    operation: "experiments.list"
  },
  {
    ...reading,
    name: "explain_experiment",
    title: "Explain an experiment",
    description:
      "What an experiment has shown so far: the verdict in words, each metric, and the numbers behind them. `relative`, and means of proportions, retention and funnels, are shares: 0.05 is 5 %.",
    operation: "experiments.results",
    work: explainExperiment
  },
  {
    ...reading,
    name: "draft_experiment",
    title: "Draft an experiment",
    description: "Saves a new experiment as a draft that no game sees. A person looks at it and starts it.",
    operation: "experiments.create",
    bodyName: "experiment",
    pinned: { status: "draft" },
    isReadOnly: false,
    work: draftExperiment("experiments.create")
  },
  {
    ...reading,
    name: "change_experiment_draft",
    title: "Change a draft of an experiment",
    description: "Replaces a draft of an experiment as a whole. Refused once the experiment has started.",
    operation: "experimentDrafts.replace",
    bodyName: "experiment",
    isReadOnly: false,
    work: draftExperiment("experimentDrafts.replace")
  }
]
