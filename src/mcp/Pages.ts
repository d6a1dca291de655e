import { Effect, Schema } from "effect"
import { ApplicationRecord } from "../../schema/access/ApplicationRecord.ts"
import { EnvironmentRecord } from "../../schema/access/Environments.ts"
import { isTree, type JsonTree } from "../../schema/JsonTree.ts"
import { funnelKind } from "../web/funnels/FunnelKind.ts"
import { heatmapKind } from "../web/heatmaps/HeatmapKind.ts"
import { insightKind } from "../web/insights/InsightKind.ts"
import { retentionKind } from "../web/retention/RetentionKind.ts"
import type { Definition, Kind, SavedQuestion } from "../web/saved/Kind.ts"
import { pageOf } from "../web/saved/Kind.ts"
import { readable } from "../web/url/Codec.ts"
import type { Asker } from "./Asker.ts"

type QueryType = Definition["queryType"]

/** The address of the question within its environment; null where the page cannot show exactly this question. */
const addressIn = <State>(kind: Kind<State>, saved: SavedQuestion, timeZone: string): string | null => {
  const state = kind.read(saved, timeZone)
  return state === null ? null : `${pageOf(kind.queryType)}${readable(kind.codec.write(state))}`
}

const addresses: Readonly<Record<QueryType, (saved: SavedQuestion, timeZone: string) => string | null>> = {
  insight: (saved, timeZone) => addressIn(insightKind, saved, timeZone),
  funnel: (saved, timeZone) => addressIn(funnelKind, saved, timeZone),
  retention: (saved, timeZone) => addressIn(retentionKind, saved, timeZone),
  heatmap: (saved, timeZone) => addressIn(heatmapKind, saved, timeZone)
}

/** Whether a body that the API has answered, with its defaults, is what the pages read of a saved question. */
const isSaved = (value: unknown): value is SavedQuestion =>
  isTree(value) && typeof value["queryType"] === "string" && value["queryType"] in addresses && isTree(value["spec"])

/** The question with all that the API fills in; null where it is none. */
const completed = (schema: Schema.Schema<unknown, unknown>, question: unknown) =>
  Effect.option(Effect.flatMap(Schema.decodeUnknown(schema)(question), Schema.encode(schema)))

/** The address of a page of the environment, and the time zone of the project. */
const placeOf = (asker: Asker, { applicationId, environment_id }: JsonTree) =>
  Effect.map(
    Effect.all([
      asker.askFor(ApplicationRecord, "projects.get", { applicationId }),
      asker.askFor(Schema.Array(EnvironmentRecord), "environments.list", { applicationId })
    ]),
    ([{ timezone }, all]) => ({
      timezone,
      place: `${asker.pages}/p/${String(applicationId)}/${all.find(({ id }) => id === Number(environment_id))?.alias ?? ""}`
    })
  )

const hidden = {
  dashboard: null,
  dashboardNote:
    "The pages of the project cannot be named without projects:read, which a personal access token may have and a secret key may not"
}

/** The page of the dashboard that opens exactly this question, or why none does. */
export const questionPage = Effect.fnUntraced(
  function* (
    asker: Asker,
    queryType: QueryType,
    given: JsonTree,
    schema: Schema.Schema<unknown, unknown>,
    question: unknown
  ) {
    const { place, timezone } = yield* placeOf(asker, given)
    const spec = yield* completed(schema, question)
    const saved: unknown = { queryType, spec: spec._tag === "Some" ? JSON.parse(JSON.stringify(spec.value)) : null }
    const address = isSaved(saved) ? addresses[queryType](saved, timezone) : null
    return address === null
      ? {
          dashboard: null,
          dashboardNote: `The page ${place}/${pageOf(queryType)} cannot show all parts of this question`
        }
      : { dashboard: `${place}/${address}` }
  },
  Effect.orElseSucceed(() => hidden)
)

/** A page of the environment that shows one thing: `experiments/7`. */
export const pageAt = (asker: Asker, given: JsonTree, address: string) =>
  placeOf(asker, given).pipe(
    Effect.map(({ place }) => ({ dashboard: `${place}/${address}` })),
    Effect.orElseSucceed(() => hidden)
  )
