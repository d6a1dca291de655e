import { useMemo, useState } from "react"
import { useInsight } from "../api/questions.ts"
import { TimeChart } from "../charts/TimeChart.tsx"
import { insightBody, questionWords } from "../insights/Ask.ts"
import { questionCodec } from "../insights/Question.ts"
import { shownSeries } from "../insights/Series.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"

/** A chart of the question that `parameters` of the address of insights say. It stays the one that was there first, whatever else arrives. */
export const FirstChart = ({ parameters }: { readonly parameters: string }) => {
  const { timezone } = useProject()
  const [colors] = useState(() => new Map<string, number>())
  const [question] = useState(() => questionCodec.read(new URLSearchParams(parameters)))
  const body = useMemo(() => insightBody(question, timezone), [question, timezone])
  const insight = useInsight(useWhere(), body, question)
  if (insight.error !== null) return <Failed error={insight.error} retry={() => void insight.refetch()} />
  if (insight.data === undefined) return <Skeleton />
  const { answer, asked } = insight.data
  return (
    <TimeChart
      label={questionWords(asked)}
      kind="bars"
      buckets={answer.buckets}
      complete={answer.complete}
      series={shownSeries(answer, asked, colors)}
      isStacked
      step={answer.time.step}
      timezone={answer.time.timezone}
    />
  )
}
