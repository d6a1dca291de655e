import { FastCheck as fc } from "effect"
import { naiveFunnel } from "../analytics/NaiveFunnel.ts"
import { filters, isSelected } from "./Filters.ts"
import { times } from "./LocalTime.ts"
import { type Sent, sent, shown } from "./Sent.ts"

const name = fc
  .subarray(["A", "B", "C"], { minLength: 2 })
  .chain((names) => fc.shuffledSubarray(names, { minLength: names.length }))

/** Steps of different markers, with an exclusion of the marker X and everything else that a funnel can be asked for. */
export const asked = times.chain((time) =>
  fc
    .record({
      time: fc.constant(time),
      all: sent(time.origin, time.tick),
      names: name,
      stepFilters: fc.array(filters, { minLength: 3, maxLength: 3 }),
      order: fc.constantFrom("ordered" as const, "ordered" as const, "strict" as const, "unordered" as const),
      windowTicks: fc.integer({ min: 0, max: 40 }),
      isOptional: fc.boolean(),
      excluded: fc.option(fc.tuple(fc.integer({ min: 0, max: 1 }), filters)),
      isHeld: fc.constantFrom(false, false, true),
      filters,
      isBrokenDown: fc.boolean(),
      breakdownLimit: fc.integer({ min: 1, max: 3 }),
      attribution: fc.constantFrom("first" as const, "last" as const, "all" as const, 0, 1),
      isOverTime: fc.boolean()
    })
    .map((question) => {
      const last = question.names.length - 1
      const first = question.order === "unordered" ? 0 : Math.min(question.excluded?.[0] ?? 0, last - 1)
      return Object.assign({}, question, {
        steps: question.names.map((name, step) => ({
          name,
          ...question.stepFilters[step]!,
          optional: question.isOptional && question.order !== "unordered" && step === 1 && last > 1
        })),
        exclusion:
          question.excluded === null
            ? null
            : {
                name: "X",
                ...question.excluded[1],
                fromStep: first,
                toStep: question.order === "unordered" ? last : first + 1
              },
        window: question.windowTicks * question.time.tick
      })
    })
)

export type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

/** What a unit did: how far it came, when it stood at each step, with which markers, and from which starts it came how far. */
export interface Result {
  readonly unit: string
  readonly reached: number
  readonly path: ReadonlyArray<Sent | null>
  readonly starts: ReadonlyArray<{ readonly at: number; readonly reached: number }>
}

export const stepOf = ({ steps }: Asked, one: Sent): number => steps.findIndex((step) => isSelected(one, step))

export const isExclusion = ({ exclusion }: Asked, one: Sent): boolean =>
  exclusion !== null && isSelected(one, exclusion)

/** The earliest markers of the next steps after a start, within the window. */
const chain = (question: Asked, own: ReadonlyArray<Sent>, start: Sent): ReadonlyArray<Sent> => {
  const path = [start]
  while (path.length < question.steps.length) {
    const next = own.find(
      (one) =>
        stepOf(question, one) === path.length && one.at >= path.at(-1)!.at && one.at - start.at <= question.window
    )
    if (next === undefined) break
    path.push(next)
  }
  return path
}

/** In order: from every start, as far as it goes. The best goes furthest, ends first and, of those, started last. */
const ordered = (question: Asked, own: ReadonlyArray<Sent>): Omit<Result, "unit"> => {
  const chains = own.filter((one) => stepOf(question, one) === 0).map((start) => chain(question, own, start))
  const [best = []] = [...chains].sort(
    (one, two) => two.length - one.length || one.at(-1)!.at - two.at(-1)!.at || two[0]!.at - one[0]!.at
  )
  const starts = chains.map((path) => ({ at: path[0]!.at, reached: path.length }))
  return { reached: best.length, path: best, starts }
}

/** In any order: from every marker, which other steps follow in the window; an exclusion before all are done discards it. */
const unordered = (question: Asked, own: ReadonlyArray<Sent>): Omit<Result, "unit"> => {
  const paths: Array<ReadonlyArray<Sent>> = []
  const starts: Array<{ at: number; reached: number }> = []
  for (const [at, start] of own.entries()) {
    if (stepOf(question, start) < 0) continue
    const path: Array<Sent> = []
    const done = new Set<number>()
    let isDiscarded = false
    for (const one of own.slice(at)) {
      if (one.at - start.at > question.window || done.size === question.steps.length) break
      const step = stepOf(question, one)
      if (step < 0) isDiscarded = true
      else if (!done.has(step)) {
        done.add(step)
        path.push(one)
      }
    }
    if (isDiscarded) continue
    paths.push(path)
    starts.push({ at: start.at, reached: path.length })
  }
  const most = Math.max(0, ...paths.map((path) => path.length))
  const best = paths.find((path) => path.length === most) ?? []
  return { reached: most, path: best, starts }
}

/** What the rules say word by word, where exclusions, optional steps or a strict order ask for them. */
const byRules = (question: Asked, own: ReadonlyArray<Sent>): Omit<Result, "unit"> => {
  const { steps, exclusion, window, order } = question
  const bits = own.map((one) => (stepOf(question, one) < 0 ? 0 : 1 << stepOf(question, one)))
  const track = {
    length: own.length,
    times: own.map(({ at }) => at),
    steps: bits,
    exclusions: own.map((one) => (isExclusion(question, one) ? 1 << exclusion!.fromStep : 0))
  }
  const optional = steps.reduce((sum, step, at) => sum + (step.optional ? 1 << at : 0), 0)
  const best = naiveFunnel(track, { steps: steps.length, optional, window, isStrict: order === "strict" })
  const path = steps.map((_, step) => own[best.path.find(([at]) => at === step)?.[1] ?? -1] ?? null)
  return { reached: best.reached, path, starts: [] }
}

/** Whether the search through all chains can answer; else the rules are followed, and nothing is said of starts. */
export const isPlain = ({ order, exclusion, steps }: Asked): boolean =>
  order === "ordered" && exclusion === null && !steps.some(({ optional }) => optional)

export const knowsStarts = (question: Asked): boolean => question.order === "unordered" || isPlain(question)

const endOf = ({ path }: Omit<Result, "unit">): number => Math.max(...path.map((one) => one?.at ?? -Infinity))

export const bestOf = (results: ReadonlyArray<Result>, unit: string): Result => {
  let best: Result = { unit, reached: 0, path: [], starts: [] }
  for (const one of results)
    if (one.reached > best.reached || (one.reached === best.reached && endOf(one) < endOf(best))) best = one
  return { ...best, starts: results.flatMap(({ starts }) => starts) }
}

export const isDistinct = (one: unknown, at: number, all: ReadonlyArray<unknown>): boolean => all.indexOf(one) === at

const resultOf = (question: Asked, unit: string, own: ReadonlyArray<Sent>): Result => {
  const run = isPlain(question) ? ordered : question.order === "unordered" ? unordered : byRules
  if (!question.isHeld) return { unit, ...run(question, own) }
  const values = own.map(({ p }) => shown(p)).filter((value) => value !== null)
  const parts = values.filter(isDistinct).map((value) => own.filter(({ p }) => shown(p) === value))
  return bestOf(
    parts.map((part) => ({ unit, ...run(question, part) })),
    unit
  )
}

export type Group = string | number | boolean | null

/** The groups that a unit is in, with its result in each. */
export const grouped = (
  question: Asked,
  unit: string,
  own: ReadonlyArray<Sent>
): ReadonlyArray<readonly [Group, Result]> => {
  const { attribution, isBrokenDown } = question
  const result = resultOf(question, unit, own)
  if (!isBrokenDown) return [[null, result]]
  const values = own.filter((one) => stepOf(question, one) >= 0 && shown(one.a) !== null).map(({ a }) => shown(a))
  switch (attribution) {
    case "first":
      return [[values[0] ?? null, result]]
    case "last":
      return [[values.at(-1) ?? null, result]]
    case "all":
      return own
        .map(({ a }) => shown(a))
        .filter(isDistinct)
        .map(
          (group) =>
            [
              group,
              resultOf(
                question,
                unit,
                own.filter(({ a }) => shown(a) === group)
              )
            ] as const
        )
    default: {
      const one = result.path[attribution] ?? null
      return one === null ? [] : [[shown(one.a), result]]
    }
  }
}

/** Whether buckets of the funnel over time are compared. */
export const isOverTime = (question: Asked): boolean => question.isOverTime && knowsStarts(question)
