import type { Codec } from "../url/Codec.ts"

export type Method = "bayesian" | "sequential" | "fixed"

/** How results are counted, where the API leaves a choice. */
export interface Counting {
  readonly prior: "flat" | "normal"
  readonly correction: "holm" | "benjaminiHochberg"
  /** What becomes of players who saw two groups. */
  readonly multipleExposure: "exclude" | "first"
}

/** The state of an experiment's page. */
export interface ExperimentState extends Counting {
  readonly tab: "results" | "setup"
  readonly method: Method
  /** Ids of the metrics whose rows are open. */
  readonly open: ReadonlyArray<string>
  /** The group whose players are shown. */
  readonly who: number | null
}

const methods: ReadonlyArray<Method> = ["bayesian", "sequential", "fixed"]

export const experimentCodec: Codec<ExperimentState> = {
  read: (parameters) => {
    const who = Number(parameters.get("who") ?? "")
    return {
      tab: parameters.get("tab") === "setup" ? "setup" : "results",
      prior: parameters.get("prior") === "normal" ? "normal" : "flat",
      correction: parameters.get("correction") === "benjaminiHochberg" ? "benjaminiHochberg" : "holm",
      multipleExposure: parameters.get("twoGroups") === "first" ? "first" : "exclude",
      method: methods.find((method) => method === parameters.get("method")) ?? "bayesian",
      open: parameters.getAll("open"),
      who: Number.isInteger(who) && who > 0 ? who : null
    }
  },
  write: ({ tab, method, prior, correction, multipleExposure, open, who }) => {
    const parameters = new URLSearchParams()
    if (tab !== "results") parameters.set("tab", tab)
    if (method !== "bayesian") parameters.set("method", method)
    if (prior !== "flat") parameters.set("prior", prior)
    if (correction !== "holm") parameters.set("correction", correction)
    if (multipleExposure !== "exclude") parameters.set("twoGroups", multipleExposure)
    for (const each of open) parameters.append("open", each)
    if (who !== null) parameters.set("who", String(who))
    return parameters
  }
}
