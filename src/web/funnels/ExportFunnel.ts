import type { BodyOf } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import type { DrawnPanel } from "../charts/BarDrawing.ts"
import { barDrawing } from "../charts/BarDrawing.ts"
import type { ExportKind } from "../export/HandOut.ts"
import { handOut } from "../export/HandOut.ts"
import type { TableCell } from "../../domain/analytics/table/Table.ts"
import { countText, durationText, percentText } from "../text/Numbers.ts"
import { stampText } from "../text/Times.ts"
import type { FunnelQuestion } from "./FunnelQuestion.ts"
import { funnelWords } from "./FunnelQuestion.ts"
import type { FunnelAnswer, FunnelGroup } from "./Groups.ts"
import { funnelGroups, share, stepName } from "./Groups.ts"

interface Exported {
  readonly answer: FunnelAnswer
  readonly question: FunnelQuestion
  /** The looks that groups have on the page. */
  readonly colors: Map<string, number>
  readonly timezone: string
  readonly body: BodyOf<"queries.funnels">
  readonly where: Where
}

type Rows = ReadonlyArray<ReadonlyArray<TableCell>>

const stepRows = (groups: ReadonlyArray<FunnelGroup>): Rows => [
  [
    "group",
    "step",
    "marker",
    "players",
    "percent of first",
    "percent of step before",
    "average seconds",
    "median seconds"
  ],
  ...groups.flatMap(({ name, series }) =>
    series.steps.map((step, index) => [
      name,
      index + 1,
      stepName(step.name),
      step.count,
      step.conversionFromFirst,
      step.conversionFromPrevious,
      step.averageSeconds,
      step.medianSeconds
    ])
  )
]

const timeRows = (groups: ReadonlyArray<FunnelGroup>, timezone: string): Rows => [
  ["begins", "group", "players", "passed all steps", "percent", "over"],
  ...groups.flatMap(({ name, series }) =>
    (series.overTime ?? []).map(({ bucket, entered, converted, rate, complete }) => [
      stampText(bucket, timezone),
      name,
      entered,
      converted,
      entered === 0 ? null : rate,
      complete ? "yes" : "no"
    ])
  )
]

const convertRows = (groups: ReadonlyArray<FunnelGroup>): Rows => [
  ["group", "from seconds", "to seconds", "players"],
  ...groups.flatMap(({ name, series }) =>
    (series.timeToConvert?.bins ?? []).map(({ fromSeconds, toSeconds, count }) => [name, fromSeconds, toSeconds, count])
  )
]

/** The table that the answer is: a row for each step, time or bin of each group. The column of groups is left out where there are none. */
const funnelRows = ({ answer, question: { display, by }, timezone }: Exported): Rows => {
  const groups = funnelGroups(answer, [], new Map())
  const rows =
    display === "steps" ? stepRows(groups) : display === "time" ? timeRows(groups, timezone) : convertRows(groups)
  const column = rows[0]?.indexOf("group") ?? -1
  return by !== null ? rows : rows.map((row) => row.filter((_, index) => index !== column))
}

const stepPanel = (groups: ReadonlyArray<FunnelGroup>, isBrokenDown: boolean): DrawnPanel => ({
  title: "",
  columns: (groups[0]?.series.steps ?? []).map(({ name, medianSeconds }, index) => {
    const counts = groups.map(({ series }) => series.steps[index]?.count ?? 0)
    const players = counts.reduce((sum, count) => sum + count, 0)
    return {
      below: [
        `${index + 1} ${stepName(name)}`,
        countText(players, "player"),
        ...(isBrokenDown || index === 0 ? [] : [`median ${durationText(medianSeconds)}`])
      ],
      bars: groups.map(({ color, series }) => {
        const [first = 0, before = 0, count = 0] = [0, Math.max(0, index - 1), index].map(
          (at) => series.steps[at]?.count ?? 0
        )
        return {
          height: share(count, first) / 100,
          lost: share(before - count, first) / 100,
          color: isBrokenDown ? color : 0,
          text: percentText(share(count, first), share(count, first) < 10 ? 1 : 0)
        }
      })
    }
  })
})

/** Bins whose beginning is written below them: one in so many. */
const labelledBins = 4

const convertPanel = ({ name, color, series }: FunnelGroup, isBrokenDown: boolean): DrawnPanel => {
  const { count = 0, medianSeconds = null, bins = [] } = series.timeToConvert ?? {}
  const highest = Math.max(1, ...bins.map((bin) => bin.count))
  return {
    title: `${isBrokenDown ? `${name} · ` : ""}${countText(count, "player")}, half within ${durationText(medianSeconds)}`,
    columns: bins.map((bin, index) => ({
      below: [index % labelledBins === 0 ? durationText(bin.fromSeconds) : ""],
      bars: [
        {
          height: bin.count / highest,
          lost: 0,
          color: isBrokenDown ? color : 0,
          text: bin.count === 0 ? "" : String(bin.count)
        }
      ]
    }))
  }
}

/** Hands an answer of funnels to its reader; what happened, in words. */
export const exportFunnel = (kind: ExportKind, exported: Exported): Promise<string> => {
  const { answer, question, colors, body, where } = exported
  const isBrokenDown = question.by !== null
  const shown = funnelGroups(answer, question.hidden, colors).filter(({ isHidden }) => !isHidden)
  const drawing = () => {
    if (question.display === "time") return document.querySelector<SVGSVGElement>(".chart svg")
    if (question.display === "steps") return barDrawing([stepPanel(shown, isBrokenDown)])
    return barDrawing(shown.map((group) => convertPanel(group, isBrokenDown)))
  }
  return handOut(kind, {
    name: "funnel",
    where,
    endpoint: "queries.funnels",
    body,
    rows: () => funnelRows(exported),
    drawing,
    words: () => ({
      title: "Funnel",
      sentence: funnelWords(question),
      legend: isBrokenDown ? shown.map(({ name, color }) => ({ name, color })) : []
    })
  })
}
