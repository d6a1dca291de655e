import type { EventQuestion } from "../../../../domain/analytics/question/Question.ts"
import { scanFunnelNext } from "./funnel/FunnelNextScan.ts"
import { scanFunnel } from "./funnel/FunnelScan.ts"
import { scanFunnelUnits } from "./funnel/FunnelUnitsScan.ts"
import { scanHeatmap } from "./heatmap/HeatmapScan.ts"
import { scanHeatmapArguments } from "./heatmap/HeatmapArgumentsScan.ts"
import { scanHeatmapUnits } from "./heatmap/HeatmapUnitsScan.ts"
import { scanInsight } from "./InsightScan.ts"
import { scanInsightUnits } from "./InsightUnitsScan.ts"
import { scanListing } from "./ListingScan.ts"
import { scanProfile } from "./ProfileScan.ts"
import { scanRetention, scanRetentionUnits } from "./retention/RetentionScan.ts"
import { scanRevenue } from "./RevenueScan.ts"
import { scanScorecard } from "./ScorecardScan.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { scanTypeCounts } from "./TypeCountsScan.ts"
import { scanCountedUnits, scanUnit } from "./UnitScan.ts"

/** Answers a question by scanning columns. Equals `answerOf`, the domain's pure function, over the same markers. */
export const scan = (question: Exclude<EventQuestion, { readonly kind: "players" }>, snapshot: Snapshot) => {
  switch (question.kind) {
    case "insight":
      return scanInsight(question.plan, snapshot)
    case "funnel":
      return scanFunnel(question.plan, snapshot)
    case "funnelUnits":
      return scanFunnelUnits(question.plan, snapshot)
    case "funnelNext":
      return scanFunnelNext(question.plan, snapshot)
    case "retention":
      return scanRetention(question.plan, snapshot)
    case "heatmap":
      return scanHeatmap(question.plan, snapshot)
    case "insightUnits":
      return scanInsightUnits(question.plan, snapshot)
    case "retentionUnits":
      return scanRetentionUnits(question.plan, snapshot)
    case "heatmapUnits":
      return scanHeatmapUnits(question.plan, snapshot)
    case "heatmapArguments":
      return scanHeatmapArguments(question.plan, snapshot)
    case "scorecard":
      return scanScorecard(question.plan, snapshot)
    case "listing":
      return scanListing(question.plan, snapshot)
    case "countedUnits":
      return scanCountedUnits(question.plan, snapshot)
    case "profile":
      return scanProfile(question.plan.unitId, snapshot)
    case "revenue":
      return scanRevenue(question.plan, snapshot)
    case "typeCounts":
      return scanTypeCounts(question.plan, snapshot)
    case "unit":
      return scanUnit(question.plan.unitId, snapshot)
  }
}
