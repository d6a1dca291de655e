import { countText, numberText, percentText } from "../../text/Numbers.ts"
import { bucketName } from "../../text/Times.ts"
import { isOpen, unitsWord, unitWord } from "../ExperimentWords.ts"
import { outcomeOf } from "../Outcome.ts"
import { endingOf, endWords } from "./Ending.ts"
import type { Judged, Pair, Standing } from "./Standing.ts"
import {
  countedWords,
  decidedPairs,
  decidingP,
  exposedUnits,
  isAtPlannedEnd,
  leastDays,
  leastUnits,
  smallestGroup,
  standingOf,
  strengthOf,
  strongestPair
} from "./Standing.ts"
import type { Sentence } from "./Words.ts"
import { chanceText, controlOf, groupName, inSentence, leans, paceText, pWords, sizeText, valueTexts } from "./Words.ts"

/** What the page opens on: one sentence, and what else belongs to it. */
export interface MetricVerdict {
  readonly standing: Standing
  /** How it went, where the sentence tells all of it; null where nothing is decided, or some of it went the other way. */
  readonly outcome: "winning" | "losing" | null
  readonly sentence: Sentence
  readonly details: ReadonlyArray<Sentence>
}

const moves = ({ comparison: { absolute } }: Pair): string => ((absolute ?? 0) < 0 ? "lowers" : "raises")

/** What a group does to a metric, such as `lowers seven-day retention: 18.2 % instead of 19.0 % (p = 0.0016)`. */
const effectWords = (pair: Pair, isPlannedEnd: boolean): Sentence => {
  const { metric, comparison } = pair
  const meanOf = (groupId: number) => metric.groups.find((group) => group.groupId === groupId)?.mean ?? null
  const [own, control] = valueTexts(metric, meanOf(comparison.groupId), meanOf(comparison.controlGroupId))
  const judgement =
    metric.direction === "increase" ? "" : comparison.verdict === "winning" ? ", which is better" : ", which is worse"
  return [
    `${moves(pair)} `,
    { name: inSentence(metric.name) },
    `${judgement}: ${own} instead of ${control} (${pWords(decidingP(comparison, isPlannedEnd))})`
  ]
}

const scheduledWords = ({ experiment, timezone }: Judged): Sentence => [
  `It starts on ${bucketName(experiment.startsAt, "day", timezone)}; nobody is in it yet.`
]

const unmeasuredWords = ({ scorecard }: Judged): Sentence =>
  scorecard.metrics.length === 0
    ? ["Nothing is measured: the experiment has no metric."]
    : ["Nothing can be measured: the saved questions that its metrics ask cannot be asked any more."]

const unhealthyWords = ({ experiment, scorecard }: Judged): Sentence => {
  const { srm, multipleExposure } = scorecard
  if (srm.verdict !== "unhealthy") {
    return [
      `Do not trust this result: ${percentText(multipleExposure.share * 100)} of the ${unitsWord(experiment)} have seen more than one group.`
    ]
  }
  const gaps = srm.observed.map((seen, ordinal) => seen - (srm.expected[ordinal] ?? 0))
  const most = gaps.indexOf(Math.max(...gaps))
  const group = experiment.groups[most]
  return [
    "Do not trust this result: ",
    { name: group === undefined ? "one group" : groupName(experiment, group.id) },
    ` has ${countText(srm.observed[most] ?? 0, unitWord(experiment))} where the split promises ${numberText(Math.round(srm.expected[most] ?? 0))} (${pWords(srm.pValue)}).`
  ]
}

const collectingWords = ({ experiment, scorecard }: Judged): Sentence => {
  const progress = `${numberText(smallestGroup(scorecard).units)} of ${leastUnits} ${countedWords({ experiment, scorecard })}, ${numberText(Math.floor(scorecard.schedule.daysExposed))} of ${leastDays} days`
  return [!isOpen(experiment) ? `It ended too early to tell: ${progress}.` : `Too early to tell: ${progress}.`]
}

const openWords = ({ experiment, scorecard }: Judged): Sentence => {
  const units = countText(exposedUnits(scorecard), unitWord(experiment))
  const days = countText(Math.floor(scorecard.schedule.daysElapsed), "day")
  if (isAtPlannedEnd(experiment, scorecard)) {
    return [`No difference was found: ${units} in ${days} show none that is clear.`]
  }
  return !isOpen(experiment)
    ? [`It ended without a clear result: ${units} in ${days} show no clear difference.`]
    : [`No winner yet: ${units} in ${days} show no clear difference.`]
}

const decidedWords = ({ experiment, scorecard }: Judged): Sentence => {
  const isPlannedEnd = isAtPlannedEnd(experiment, scorecard)
  const [first] = decidedPairs(scorecard, isPlannedEnd)
  return first === undefined
    ? []
    : [{ name: groupName(experiment, first.comparison.groupId) }, " ", ...effectWords(first, isPlannedEnd), "."]
}

const sentences: Readonly<Record<Standing, (judged: Judged) => Sentence>> = {
  scheduled: scheduledWords,
  unmeasured: unmeasuredWords,
  unhealthy: unhealthyWords,
  collecting: collectingWords,
  open: openWords,
  decided: decidedWords
}

/** Everything else that is decided, guardrails that get worse among it. */
const othersWords = ({ experiment, scorecard }: Judged): ReadonlyArray<Sentence> => {
  const isPlannedEnd = isAtPlannedEnd(experiment, scorecard)
  return decidedPairs(scorecard, isPlannedEnd)
    .slice(1)
    .map((pair) => [
      pair.comparison.verdict === "losing" && pair.metric.role === "guardrail" ? "But " : "Also ",
      { name: groupName(experiment, pair.comparison.groupId) },
      " ",
      ...effectWords(pair, isPlannedEnd),
      "."
    ])
}

/** How far the chance to win has to be from one half, to be named at all: below 20 % or above 80 %. */
const tellingStrength = 0.3

const strongestWords = ({ experiment, scorecard }: Judged): ReadonlyArray<Sentence> => {
  const pair = strongestPair(scorecard)
  if (pair === undefined) return []
  if (strengthOf(pair) < tellingStrength) return [["No metric leans to either side."]]
  const { metric, comparison } = pair
  const control = controlOf(experiment)
  const why = leans(comparison)
    ? "but it is one of several comparisons, and corrected for that it may be chance."
    : "but the interval that is safe to look at any day still holds no change."
  return [
    [
      "The strongest sign: ",
      { name: groupName(experiment, comparison.groupId) },
      ` ${moves(pair)} `,
      { name: inSentence(metric.name) },
      ` by ${sizeText(comparison.relative ?? 0)} (${chanceText(comparison.bayesian.chanceToWin)} chance to be better than ${control === undefined ? "the control" : groupName(experiment, control.id)}), ${why}`
    ]
  ]
}

const waitingWords = ({ experiment, scorecard, timezone }: Judged): ReadonlyArray<Sentence> => {
  const { endsAt } = experiment
  if (!isOpen(experiment)) return []
  const until = endsAt === null ? "Waiting" : `Waiting until the planned end on ${bucketName(endsAt, "day", timezone)}`
  const days = Math.min(...scorecard.power.metrics.flatMap(({ daysToGo }) => (daysToGo === null ? [] : [daysToGo])))
  const pace =
    Number.isFinite(days) && days > 0
      ? ` At this pace the largest change seen so far takes ${paceText(days)} to be found.`
      : ""
  return [[`${until} is safe: looking early does not spoil this result.${pace}`]]
}

/** A split that is off, though not so far that nothing may be concluded. */
const splitWords = ({ scorecard: { srm } }: Judged): ReadonlyArray<Sentence> =>
  srm.verdict === "warning" ? [[`The split is off (${pWords(srm.pValue)}): find out why before you rely on this.`]] : []

const detailsOf = (judged: Judged, standing: Standing): ReadonlyArray<Sentence> => {
  switch (standing) {
    case "scheduled":
    case "unmeasured":
    case "unhealthy":
      return endWords(judged)
    case "collecting":
      return [...endWords(judged), ...splitWords(judged)]
    case "open":
      return [...strongestWords(judged), ...waitingWords(judged), ...endWords(judged), ...splitWords(judged)]
    case "decided":
      return [...othersWords(judged), ...endWords(judged), ...splitWords(judged)]
  }
}

/** The verdict on an experiment in plain words. */
export const verdictOf = (judged: Judged): MetricVerdict => {
  const standing = standingOf(judged.experiment, judged.scorecard)
  const own = sentences[standing](judged)
  const { experiment, scorecard } = judged
  const [first] = standing === "decided" ? decidedPairs(scorecard, isAtPlannedEnd(experiment, scorecard)) : []
  const outcome = outcomeOf(scorecard)
  const ending = endingOf(judged)
  return {
    standing,
    // A goal that wins beside a guardrail that loses is no reason for a colour.
    outcome: (outcome === "winning" || outcome === "losing") && first?.comparison.verdict === outcome ? outcome : null,
    sentence: ending ?? own,
    details: ending === null ? detailsOf(judged, standing) : [own, ...detailsOf(judged, standing)]
  }
}
